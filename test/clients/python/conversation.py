"""One JSON line in, one JSON line out, until standard input ends: {"do": NAME, ...arguments} calls the function NAME."""

import json
import sys


def converse(functions):
    by_name = {function.__name__: function for function in functions}
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        arguments = json.loads(line)
        try:
            answer = by_name[arguments.pop("do")](**arguments)
        except Exception as error:
            answer = {"raised": describe(error)}
        print(json.dumps(answer), flush=True)


def describe(error):
    """What a program can know of an error of the openai client: its class, the status and the fields of the body."""
    return {
        "class": type(error).__name__,
        "status": getattr(error, "status_code", None),
        "code": getattr(error, "code", None),
        "param": getattr(error, "param", None),
        "type": getattr(error, "type", None),
        "request_id": getattr(error, "request_id", None),
        "text": str(error),
    }
