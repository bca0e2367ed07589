"""Finds when each word of a recording is spoken, with pocketsphinx: a tool that shares nothing with ours.

Standard input: one JSON list of {"path": "….wav" (16 kHz, 16-bit mono), "text": "…", "phones": ["HH OW L AA", …]?}.
Without phones the words between spaces are looked up in its English dictionary; with them, each word is pronounced as
they say (ARPAbet). Standard output: one JSON list; for each recording its words as [[start, end], …] in seconds, or
null where a word is not in the dictionary or has no phones, or where the alignment failed.
"""

import json
import re
import sys
import wave

import pocketsphinx


def names_in_dictionary(one, decoder):
    """What the dictionary calls each word, or None."""
    names = []
    if "phones" in one:
        for phones in one["phones"]:
            if not phones:
                return None
            name = "said_" + phones.lower().replace(" ", "_")
            if decoder.lookup_word(name) is None:
                decoder.add_word(name, phones, True)
            names.append(name)
        return names
    for word in one["text"].split():
        name = re.sub(r"[^a-z']", "", word.lower().replace("’", "'")).strip("'")
        if not name or decoder.lookup_word(name) is None:
            return None
        names.append(name)
    return names


def align(one, decoder):
    with wave.open(one["path"]) as sound:
        data = sound.readframes(sound.getnframes())
    names = names_in_dictionary(one, decoder)
    if names is None:
        return None
    try:
        decoder.set_align_text(" ".join(names))
        for refine in (False, True):
            if refine:
                decoder.set_alignment()
            decoder.start_utt()
            decoder.process_raw(data, full_utt=True)
            decoder.end_utt()
        found = [entry for entry in decoder.get_alignment() if not entry.name.startswith("<") and entry.name != "(NULL)"]
    except (RuntimeError, TypeError):
        return None
    if [re.sub(r"\(\d+\)$", "", entry.name) for entry in found] != names:
        return None
    return [[entry.start / 100, (entry.start + entry.duration) / 100] for entry in found]


decoder = pocketsphinx.Decoder(samprate=16000, loglevel="FATAL", bestpath=False)
json.dump([align(one, decoder) for one in json.load(sys.stdin)], sys.stdout)
