"""Diarization errors as pyannote.metrics counts them, one JSON line for each JSON line."""

import json
import sys

from pyannote.core import Annotation, Segment
from pyannote.metrics.diarization import DiarizationErrorRate


def annotation(turns):
    made = Annotation()
    for index, turn in enumerate(turns):
        made[Segment(turn["start"], turn["end"]), index] = turn["speaker"]
    return made


def answer(question):
    # Its collar is the width over both sides of a border.
    metric = DiarizationErrorRate(collar=2 * question["collar"], skip_overlap=False)
    found = metric(annotation(question["reference"]), annotation(question["answer"]), detailed=True)
    return dict(
        total=found["total"],
        missed=found["missed detection"],
        falseAlarm=found["false alarm"],
        confusion=found["confusion"],
    )


print(json.dumps(dict(ready=True)), flush=True)
for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except Exception as error:
        reply = dict(error=f"{type(error).__name__}: {error}")
    print(json.dumps(reply), flush=True)
