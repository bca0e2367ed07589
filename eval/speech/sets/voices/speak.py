"""Speaks with flite and espeak-ng through their libraries, because only those tell when each word is spoken.

espeak-ng comes with the Python package espeakng-loader; flite's libraries are found on LD_LIBRARY_PATH.

Standard input: one JSON list of requests. Standard output, for each request: a line of JSON and the samples (s16le).
  {"engine": "flite", "voice": "rms", "text": "...", "stretch": 1.0}
  {"engine": "espeak", "voice": "es+f3", "text": "...", "rate": 165, "pitch": 50}
    → {"rate": 16000, "samples": 31200, "words": [[start, end], ...]} in seconds, a pair for each word between spaces
  {"engine": "phonemes", "voice": "es", "text": "..."}
    → {"rate": 0, "samples": 0, "sentence": "...", "words": ["...", ...]} in IPA, the whole and each word alone
"""

import ctypes
import json
import os
import re
import sys
from ctypes import CFUNCTYPE, POINTER, RTLD_GLOBAL, Structure, Union, c_char_p, c_float, c_int, c_short, c_uint, c_void_p

import espeakng_loader


class Missing(Exception):
    pass


def library(name):
    try:
        return ctypes.CDLL(name, mode=RTLD_GLOBAL)
    except OSError as error:
        raise Missing(f"{name} could not be loaded: {error}") from error


# --- flite -----------------------------------------------------------------------------------------------------------


class Wave(Structure):
    _fields_ = [
        ("type", c_char_p),
        ("rate", c_int),
        ("samples", c_int),
        ("channels", c_int),
        ("data", POINTER(c_short)),
    ]


class VoiceHead(Structure):
    _fields_ = [("name", c_char_p), ("features", c_void_p)]


class Flite:
    def __init__(self):
        self.lib = library("libflite.so.1")
        library("libflite_usenglish.so.1")
        library("libflite_cmulex.so.1")
        self.lib.flite_init()
        for name, result, arguments in [
            ("flite_synth_text", c_void_p, [c_char_p, c_void_p]),
            ("utt_wave", POINTER(Wave), [c_void_p]),
            ("utt_relation", c_void_p, [c_void_p, c_char_p]),
            ("relation_head", c_void_p, [c_void_p]),
            ("item_next", c_void_p, [c_void_p]),
            ("flite_ffeature_float", c_float, [c_void_p, c_char_p]),
            ("flite_ffeature_string", c_char_p, [c_void_p, c_char_p]),
            ("flite_feat_set_float", None, [c_void_p, c_char_p, c_float]),
            ("delete_utterance", None, [c_void_p]),
        ]:
            function = getattr(self.lib, name)
            function.restype, function.argtypes = result, arguments
        self.voices = {}

    def voice(self, name):
        if name not in self.voices:
            long = f"cmu_us_{name}"
            register = getattr(library(f"libflite_{long}.so.1"), f"register_{long}")
            register.restype, register.argtypes = c_void_p, [c_char_p]
            self.voices[name] = register(None)
        return self.voices[name]

    def speak(self, request):
        voice = self.voice(request["voice"])
        features = ctypes.cast(voice, POINTER(VoiceHead)).contents.features
        self.lib.flite_feat_set_float(features, b"duration_stretch", request.get("stretch", 1.0))
        utterance = self.lib.flite_synth_text(request["text"].encode(), voice)
        wave = self.lib.utt_wave(utterance).contents
        data = ctypes.string_at(wave.data, 2 * wave.samples)
        # A token of the text may be several words of speech ("don't" is one, "twenty-one" two): the token is the word.
        words = []
        token = self.lib.relation_head(self.lib.utt_relation(utterance, b"Token"))
        while token:
            start = self.lib.flite_ffeature_float(
                token, b"daughter1.R:SylStructure.daughter1.daughter1.R:Segment.p.end"
            )
            end = self.lib.flite_ffeature_float(token, b"daughtern.R:SylStructure.daughtern.daughtern.R:Segment.end")
            words.append([round(start, 4), round(end, 4)])
            token = self.lib.item_next(token)
        rate, samples = wave.rate, wave.samples
        self.lib.delete_utterance(utterance)
        return {"rate": rate, "samples": samples, "words": words}, data


# --- espeak-ng -------------------------------------------------------------------------------------------------------

RETRIEVAL, PHONEME_EVENTS, UTF8 = 1, 1, 1
WORD, END, PHONEME = 1, 5, 7
RATE, PITCH = 1, 3


class Identity(Union):
    _fields_ = [("number", c_int), ("name", c_char_p), ("string", ctypes.c_char * 8)]


class Event(Structure):
    _fields_ = [
        ("type", c_int),
        ("unique", c_uint),
        ("text_position", c_int),
        ("length", c_int),
        ("audio_position", c_int),
        ("sample", c_int),
        ("user", c_void_p),
        ("id", Identity),
    ]


CALLBACK = CFUNCTYPE(c_int, POINTER(c_short), c_int, POINTER(Event))


class Espeak:
    def __init__(self):
        self.lib = library(espeakng_loader.get_library_path())
        data = os.path.dirname(espeakng_loader.get_data_path())
        self.rate = self.lib.espeak_Initialize(RETRIEVAL, 0, data.encode(), PHONEME_EVENTS)
        if self.rate <= 0:
            raise Missing(f"espeak-ng finds no voices in {data}")
        self.lib.espeak_TextToPhonemes.restype = c_char_p
        self.callback = CALLBACK(self.received)  # kept, or the library would call freed memory
        self.lib.espeak_SetSynthCallback(self.callback)

    def received(self, samples, count, events):
        if samples and count:
            self.data.append(ctypes.string_at(samples, 2 * count))
        i = 0
        while events[i].type:
            event = events[i]
            if event.type == PHONEME:
                self.events.append((event.audio_position / 1000, "phoneme", event.id.string.decode("utf8", "replace")))
            elif event.type == WORD:
                self.events.append((event.audio_position / 1000, "word", event.text_position))
            elif event.type == END:
                self.events.append((event.audio_position / 1000, "end", None))
            i += 1
        return 0

    def choose(self, name):
        if self.lib.espeak_SetVoiceByName(name.encode()) != 0:
            raise Missing(f"espeak-ng has no voice {name}")

    def speak(self, request):
        self.choose(request["voice"])
        self.lib.espeak_SetParameter(RATE, request.get("rate", 165), 0)
        self.lib.espeak_SetParameter(PITCH, request.get("pitch", 50), 0)
        self.data, self.events = [], []
        text = request["text"].encode()
        self.lib.espeak_Synth(text, len(text) + 1, 0, 1, 0, UTF8, None, None)
        self.lib.espeak_Synchronize()
        data = b"".join(self.data)
        head = {"rate": self.rate, "samples": len(data) // 2}
        return {**head, "words": spans(request["text"], self.events)}, data

    def phonemes(self, request):
        self.choose(request["voice"])
        ipa = lambda text: self.ipa(text).replace("\u200d", "").replace("\u0361", "")
        words = [ipa(word.strip(PUNCTUATION)) for word in request["text"].split()]
        return {"rate": 0, "samples": 0, "sentence": ipa(request["text"]), "words": words}, b""

    def ipa(self, text):
        """Clause by clause, because the library drops the punctuation, which the voice needs for its melody."""
        said = []
        for clause in re.findall(r"[^,.;:!?]+[,.;:!?]*", text):
            words, marks = re.fullmatch(r"(.*?)([,.;:!?]*)", clause, re.DOTALL).groups()
            pointer = ctypes.c_char_p(words.encode())
            place = ctypes.cast(ctypes.pointer(pointer), POINTER(c_void_p))
            while place.contents.value:
                said.append(self.lib.espeak_TextToPhonemes(place, UTF8, 0x02).decode().strip())
            said[-1] += marks[:1]
        return " ".join(said)


PUNCTUATION = " .,;:!?¿¡\"'()"


def spans(text, events):
    """One pair for each word between spaces: from its event to its last phoneme that is no pause."""
    starts, position = [], 0
    for word in text.split(" "):
        starts.append(position)
        position += len(word) + 1
    found = [None] * len(starts)
    current, last = None, None
    for index, (at, kind, what) in enumerate(events):
        if kind == "word":
            character = what - 1
            current = max(i for i, start in enumerate(starts) if start <= character + 1)
            if found[current] is None:
                found[current] = [at, at]
        if kind == "phoneme" and current is not None and what and not what.startswith("_"):
            following = next((a for a, k, _ in events[index + 1 :] if k in ("phoneme", "end", "word")), at)
            found[current][1] = max(found[current][1], following)
    # Words that espeak-ng joins ("de la") come as one event: they share its time by their letters.
    words = text.split(" ")
    for i, span in enumerate(found):
        if span is not None:
            continue
        first = i
        while first > 0 and found[first - 1] is None:
            first -= 1
        if first == 0:
            found[i] = [0.0, 0.0]
            continue
        start, end = found[first - 1]
        share = len(words[first - 1]) / (len(words[first - 1]) + len(words[i]))
        middle = start + share * (end - start)
        found[first - 1], found[i] = [start, middle], [middle, end]
    return [[round(start, 4), round(end, 4)] for start, end in found]


def main():
    engines = {}
    for request in json.load(sys.stdin):
        if request["engine"] == "flite":
            engine = engines.setdefault("flite", None) or Flite()
            engines["flite"] = engine
            head, data = engine.speak(request)
        else:
            engine = engines.get("espeak") or Espeak()
            engines["espeak"] = engine
            head, data = engine.speak(request) if request["engine"] == "espeak" else engine.phonemes(request)
        sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + data)


try:
    main()
except Missing as error:
    sys.exit(str(error))
