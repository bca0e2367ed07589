"""Finds when each word of an English recording is spoken, with pocketsphinx: a tool that shares nothing with ours.

Standard input: one JSON list of {"path": "….wav" (16 kHz, 16-bit mono), "text": "…"}. Standard output: one JSON list; for each
recording its words as [[start, end], …] in seconds, one for each word between spaces, or null where a word is not in
the dictionary or the alignment failed.
"""

import json
import re
import sys
import wave

import pocketsphinx


def plain(word):
    return re.sub(r"[^a-z']", "", word.lower().replace("’", "'")).strip("'")


def align(path, text, decoder):
    with wave.open(path) as sound:
        data = sound.readframes(sound.getnframes())
    words = [plain(word) for word in text.split()]
    if any(not word or decoder.lookup_word(word) is None for word in words):
        return None
    try:
        decoder.set_align_text(" ".join(words))
        decoder.start_utt()
        decoder.process_raw(data, full_utt=True)
        decoder.end_utt()
        decoder.set_alignment()
        decoder.start_utt()
        decoder.process_raw(data, full_utt=True)
        decoder.end_utt()
        found = [entry for entry in decoder.get_alignment() if not entry.name.startswith("<") and entry.name != "(NULL)"]
    except (RuntimeError, TypeError):
        return None
    if [re.sub(r"\(\d+\)$", "", entry.name) for entry in found] != words:
        return None
    return [[entry.start / 100, (entry.start + entry.duration) / 100] for entry in found]


decoder = pocketsphinx.Decoder(samprate=16000, loglevel="FATAL", bestpath=False)
json.dump([align(one["path"], one["text"], decoder) for one in json.load(sys.stdin)], sys.stdout)
