import test from "ava";
import { VirtualClock } from "../model/clock.ts";
import { MemoryApi } from "../model/memory-api.ts";
import { kubernetesContract } from "./contract.ts";

kubernetesContract(test, "in memory", async () => ({ api: new MemoryApi(new VirtualClock()), namespace: "tests" }));
