/** What a verification says: points with a verdict and a sentence each. */

export type Verdict = "proven" | "not witnessed" | "not protected" | "not checked" | "failed";

export interface Point {
  readonly name: string;
  readonly verdict: Verdict;
  readonly sentence: string;
}

export interface Report {
  /** `unknown` when the file is too broken to say. */
  readonly matchId: string;
  readonly ok: boolean;
  /** What must be said with the report as a whole; empty when nothing. */
  readonly label: string;
  readonly points: readonly Point[];
}

/** A point that holds. */
export function proven(name: string, sentence: string): Point {
  return { name, verdict: "proven", sentence };
}

/** A point that does not hold: this match fails. */
export function failed(name: string, sentence: string): Point {
  return { name, verdict: "failed", sentence };
}

/** A point on which nothing can be said. */
export function notChecked(name: string, sentence: string): Point {
  return { name, verdict: "not checked", sentence };
}

/** A point which holds, but which protects nobody. */
export function notProtected(name: string, sentence: string): Point {
  return { name, verdict: "not protected", sentence };
}

/** A point that nobody claims to have known in time. */
export function notWitnessed(name: string, sentence: string): Point {
  return { name, verdict: "not witnessed", sentence };
}

/** The report of points. */
export function reportOf(matchId: string, label: string, points: readonly Point[]): Report {
  return { matchId, label, points, ok: points.every(({ verdict }) => verdict !== "failed") };
}

/** The report as JSON, in the shape of `belot verify --json`. */
export function jsonOf({ matchId, ok, label, points }: Report): string {
  return JSON.stringify({ match_id: matchId, ok, label, points }, null, 2);
}

const MARKS: Readonly<Record<Verdict, string>> = {
  proven: "ok",
  "not witnessed": "!!",
  "not protected": "!!",
  "not checked": "--",
  failed: "XX",
};

/** The report for a person to read. */
export function textOfReport({ matchId, ok, label, points }: Report): string {
  const width = Math.max(...points.map(({ name }) => name.length));
  const lines = points.map(({ name, verdict, sentence }) => {
    const said = verdict === "proven" || verdict === "failed" ? "" : `${verdict}: `;
    return ` ${MARKS[verdict]}  ${name.padEnd(width)}  ${said}${sentence}`;
  });
  const count = points.filter(({ verdict }) => verdict === "proven").length;
  const wrong = points.filter(({ verdict }) => verdict === "failed").map(({ name }) => name);
  const end = ok ? `VERIFIED: ${count} points proven, none failed.` : `FAILED: ${wrong.join(", ")}.`;
  return [`match ${matchId}`, ...(label === "" ? [] : [label]), ...lines, end].join("\n");
}
