"""faster-whisper's batched pipeline in int8 on the CPU, answering one JSON line for each JSON line it is asked.

usage: faster_whisper_contender.py CT2_DIRECTORY THREADS
"""

import json
import sys
import time

from faster_whisper import BatchedInferencePipeline, WhisperModel

directory, threads = sys.argv[1], int(sys.argv[2])
model = WhisperModel(directory, device="cpu", compute_type="int8", cpu_threads=threads)
batched = BatchedInferencePipeline(model)


def answer(question):
    started = time.perf_counter()
    options = dict(beam_size=question.get("beam_size", 5), word_timestamps=question.get("word_timestamps", False))
    if question.get("batch_size"):
        # Its cheapest mode: the language from the first 30 s, voice activity, no timestamps.
        segments, info = batched.transcribe(question["file"], batch_size=question["batch_size"], **options)
    else:
        segments, info = model.transcribe(question["file"], vad_filter=True, **options)
    text = " ".join(segment.text.strip() for segment in segments)
    return dict(seconds=time.perf_counter() - started, text=text, language=info.language)


print(json.dumps(dict(ready=True)), flush=True)
for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except Exception as error:
        reply = dict(error=f"{type(error).__name__}: {error}")
    print(json.dumps(reply), flush=True)
