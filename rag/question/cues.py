"""Words that mean the same when a question asks and an abstract tells: "how much faster" finds "speedup".

Each line is one idea, written as word beginnings. The list is general academic English, made for this
project; nothing in it belongs to one paper.
"""

import re
from functools import cache

_IDEAS = """
fast faster quick speed accelerat latency throughput runtime slow time-consuming
cheap cost budget price expens efficien econom overhead
small compact lightweight tiny reduc fewer less compress shrink minim storage memory disk footprint lower
big bigger large larger huge scale size
beat outperform surpass exceed better improve improvement gain superior win winning won
worse degrade drop decline fail fall struggle lack poor underperform limit
dataset data-set benchmark corpus corpora collection testbed
test evaluat experiment assess validat tried run empirical benchmarked measured conducted
model models backbone architecture architectures llm llms
score accuracy rate metric performance f1 map psnr fid bleu perplexity percent percentage
measure measured metric judge assess quantif evaluat accuracy criterion
problem challenge issue difficult hard tough obstacle bottleneck limitation however suffer gap
why because due since owing thanks reason therefore cause leads
need require necessary depend rely must without eliminat
goal aim objective purpose intend
call called name named dubbed term termed abbreviat referred
introduce propose present develop design novel new first
show find finding reveal demonstrate discover observe conclude result message
help benefit advantage enable facilitat useful application applications practical use
guarantee theor prove proof provabl bound converge certif formal
use using leverage employ utiliz exploit rely adopt plug build built lean basis
learn train trained training fit fitted fine-tune pretrain
combine merge mix integrat unif compos jointly concatenat fuse
part component module consist compris contain include made pieces
kind type sort category class classified regarded such
people person human participant annotator expert user users
write generate generat produce output synthesi create draft
read retrieve retrieval search look lookup embed encod represent
change modif alter edit edited edits update steer intervene intervention
remove delete drop prune discard evict without
split decompos separat divid disentangl disaggregat break breaks broken partition modularis
compare contrast differ different unlike versus relative against than whereas
robust stable stability resilien consistent tolerate unaffected
uncertain confidence calibrat risk probabilit trust reliab
attack adversar poison backdoor jailbreak threat malicious inject
protect privacy private safe safety secure defen
picture image images visual photo pixel
video videos frame frames clip
sound audio speech music voice acoustic
text word words language caption captions sentence
number count total many amount quantity share fraction proportion
year month day hour minute second duration period long longer
first earliest inaugural initial pioneer unprecedented
fix solve solution remedy address mitigat alleviat overcome resolv tackle handle deal treat
release available public open-source code github link
idea key core insight main central essence
parameter param weight weights
steps step stage stages phase phases procedure pipeline process then
"""


@cache
def _beginnings() -> tuple[tuple[re.Pattern[str], int], ...]:
    lines = [line.split() for line in _IDEAS.strip().splitlines()]
    return tuple(
        (re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})", re.I), i) for i, words in enumerate(lines)
    )


def ideas(text: str) -> frozenset[int]:
    """Numbers of the ideas that `text` speaks of."""
    return frozenset(number for pattern, number in _beginnings() if pattern.search(text))
