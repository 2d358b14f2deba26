"""The eval harness: Case, Evaluator, Run, Report. `python -m eval --help` names the commands."""
