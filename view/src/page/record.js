// The runs that are drawn, and their texts.

// `all` tells a list of many runs from one run with the runs below it.
export const data = { all: false, listed: 0, matching: 0, runs: [], texts: [] };
export const runs = new Map();

export function load(given) {
  Object.assign(data, given);
  runs.clear();
  for (const run of data.runs) runs.set(run.run, run);
}

// The text with a number: the text, and its length if it was cut.
export const entry = at => at === null || at === undefined ? null : data.texts[at];
