// Summarizes the state of the server, without DOM.

// SEVERITY orders the states by severity; an unknown state ranks as a warning.
const SEVERITY = { ok: 0, warning: 1, problem: 2 };

// stateOf returns the worst state of the given checks, "ok", "warning" or "problem". A check without
// a warning is ok.
export function stateOf(warnings, ...checks) {
	const states = (warnings ?? []).filter(({ check }) => checks.includes(check)).map(({ state }) => state);
	return states.reduce((worst, state) => ((SEVERITY[state] ?? 1) > SEVERITY[worst] ? state : worst), "ok");
}

// readyCount returns { ready, all }: the number of ready services and the number of services in a
// list, which does not contain disabled ones.
export function readyCount(services) {
	return { ready: services.filter(({ state }) => state === "ready").length, all: services.length };
}

// doneShare returns the progress of a backup from 0 to 1; 0 if its size is not known yet.
export function doneShare(job) {
	return job?.total_bytes > 0 ? Math.min(1, job.done_bytes / job.total_bytes) : 0;
}

// groupByDay returns the entries in groups of consecutive entries of the same day, as [day, entries].
// dayOf returns the day of an instant.
export function byDay(entries, dayOf) {
	const groups = [];
	for (const entry of entries) {
		const day = dayOf(entry.metadata?.at);
		if (groups.at(-1)?.[0] === day) groups.at(-1)[1].push(entry);
		else groups.push([day, [entry]]);
	}
	return groups;
}
