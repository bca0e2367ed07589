import test from "ava";
import { operatorConfig } from "../../operator/config.ts";
import { SettingsError } from "../../process/settings.ts";

test("the operator's settings have defaults and are read", (t) => {
  const config = operatorConfig({ ESCRIBA_OPERATOR_IDENTITY: "pod-1" });
  t.deepEqual(config, {
    logLevel: "info",
    namespaces: [],
    lease: { namespace: "default", name: "escriba-operator" },
    identity: "pod-1",
    kubeconfig: "",
    metrics: { host: "127.0.0.1", port: 9464 },
  });
  t.deepEqual(operatorConfig({ ESCRIBA_OPERATOR_NAMESPACES: " a, b ,a,," }).namespaces, ["a", "b"]);
  t.not(operatorConfig({}).identity, "");
});

test("what is no name is refused, with the setting's name", (t) => {
  for (const [name, value] of [
    ["ESCRIBA_OPERATOR_NAMESPACES", "a,B!"],
    ["ESCRIBA_OPERATOR_LEASE_NAMESPACE", "-a"],
    ["ESCRIBA_OPERATOR_LEASE_NAME", "A"],
    ["ESCRIBA_METRICS_PORT", "70000"],
  ] as const) {
    t.throws(() => operatorConfig({ [name]: value }), { instanceOf: SettingsError, message: new RegExp(name) }, name);
  }
});
