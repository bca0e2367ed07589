/**
 * When an alert fires and when it does not. Series are written as in promtool's tests, a sample a minute: `0+2x30` is 0, 2,
 * 4, … 30 times, `5x30` is 5 again and again.
 */
export interface AlertCase {
  alert: string;
  severity: "critical" | "warning" | "info";
  /** Labels of the alert beside its name and severity. */
  labels: Record<string, string>;
  /** Minutes at which it is looked at. */
  at: number;
  fires: Record<string, string>;
  /** Looked at just then as well: at nothing, and at what is near. */
  quiet: Record<string, string>;
}
