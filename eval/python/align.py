"""Finds when each word of a recording is spoken, with pocketsphinx: a tool that shares nothing with ours.

Standard input: one JSON list of {"path": "….wav" (16 kHz, 16-bit mono), "text": "…", "phones": ["HH OW L AA", …]?,
"before": {"3": "N UW M …", …}?}.
Without phones the words between spaces are looked up in its English dictionary; with them, each word is pronounced as
they say (ARPAbet). What `before` names may be said before the word of that number or not: it is listened for, and has no
times of its own. Standard output: one JSON list; for each recording its words as [[start, end], …] in seconds, or
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


EXTRA = "said_before"


def heard_before(names, before, data, decoder):
    """Numbers of the words before which the optional word is heard: of both sentences, what sounds more like it."""
    optional = {int(i): phones for i, phones in before.items()}
    if decoder.lookup_word(EXTRA) is None:
        decoder.add_word(EXTRA, next(iter(optional.values())), True)
    sentence = " ".join(f"[{EXTRA}] {name}" if i in optional else name for i, name in enumerate(names))
    decoder.add_jsgf_string("spoken", f"#JSGF V1.0;\ngrammar spoken;\npublic <spoken> = {sentence};\n")
    decoder.activate_search("spoken")
    decoder.start_utt()
    decoder.process_raw(data, full_utt=True)
    decoder.end_utt()
    heard = [plain(entry.word) for entry in decoder.seg()] if decoder.hyp() else []
    heard = [name for name in heard if name == EXTRA or name in names]
    if [name for name in heard if name != EXTRA] != names:
        return []
    places = [i for i, name in enumerate(heard) if name == EXTRA]
    return [place - count for count, place in enumerate(places)]


def plain(name):
    """A word without the number of its pronunciation."""
    return re.sub(r"\(\d+\)$", "", name)


def align(one, decoder):
    with wave.open(one["path"]) as sound:
        data = sound.readframes(sound.getnframes())
    names = names_in_dictionary(one, decoder)
    if names is None:
        return None
    said = heard_before(names, one["before"], data, decoder) if one.get("before") else []
    spoken = [name for i, word in enumerate(names) for name in ([EXTRA] if i in said else []) + [word]]
    try:
        decoder.set_align_text(" ".join(spoken))
        for refine in (False, True):
            if refine:
                decoder.set_alignment()
            decoder.start_utt()
            decoder.process_raw(data, full_utt=True)
            decoder.end_utt()
        found = [entry for entry in decoder.get_alignment() if not entry.name.startswith("<") and entry.name != "(NULL)"]
    except (RuntimeError, TypeError):
        return None
    if [plain(entry.name) for entry in found] != spoken:
        return None
    words = [entry for entry in found if plain(entry.name) != EXTRA]
    return [[entry.start / 100, (entry.start + entry.duration) / 100] for entry in words]


decoder = pocketsphinx.Decoder(samprate=16000, loglevel="FATAL", bestpath=False)
json.dump([align(one, decoder) for one in json.load(sys.stdin)], sys.stdout)
