"""faster-whisper in int8 on the CPU, batched or one window after the other, answering one JSON line for each JSON line
it is asked.

usage: faster_whisper_contender.py CT2_DIRECTORY THREADS
"""

import json
import sys
import time

from faster_whisper import BatchedInferencePipeline, WhisperModel

directory, threads = sys.argv[1], int(sys.argv[2])
model = WhisperModel(directory, device="cpu", compute_type="int8", cpu_threads=threads)
batched = BatchedInferencePipeline(model)


def hear(file, question):
    options = dict(beam_size=question.get("beam_size", 5), word_timestamps=question.get("word_timestamps", False))
    if question.get("batch_size"):
        # Its cheapest mode: the language from the first 30 s, voice activity, no timestamps.
        segments, info = batched.transcribe(file, batch_size=question["batch_size"], **options)
    else:
        segments, info = model.transcribe(file, vad_filter=True, **options)
    return " ".join(segment.text.strip() for segment in segments), info.language


def answer(question):
    started = time.perf_counter()
    if question.get("files"):
        texts = [hear(file, question)[0] for file in question["files"]]
        return dict(seconds=time.perf_counter() - started, text=" ".join(texts), texts=texts, language=None)
    text, language = hear(question["file"], question)
    return dict(seconds=time.perf_counter() - started, text=text, language=language)


print(json.dumps(dict(ready=True)), flush=True)
for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except Exception as error:
        reply = dict(error=f"{type(error).__name__}: {error}")
    print(json.dumps(reply), flush=True)
