"""Whisper's English and basic text normalisers, answering one JSON line for each JSON line.

usage: normalise.py
question: {"language": "en", "texts": [...]}; answer: {"words": [[...], ...]}
"""

import json
import sys

from whisper_normalizer.basic import BasicTextNormalizer
from whisper_normalizer.english import EnglishTextNormalizer

english = EnglishTextNormalizer()
# Without diacritics: the Spanish references were written without accents.
basic = BasicTextNormalizer(remove_diacritics=True)


def answer(question):
    normalise = english if question["language"] == "en" else basic
    return dict(words=[normalise(text).split() for text in question["texts"]])


print(json.dumps(dict(ready=True)), flush=True)
for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except Exception as error:
        reply = dict(error=f"{type(error).__name__}: {error}")
    print(json.dumps(reply), flush=True)
