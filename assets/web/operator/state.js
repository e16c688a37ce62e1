// The state of the server, without DOM.

const RANK = { ok: 0, warning: 1, problem: 2 };

// stateOf returns the worst state of the warnings of a server about some checks: "ok",
// "warning" or "problem".
export function stateOf(warnings, ...checks) {
	return (warnings ?? []).filter(({ check }) => checks.includes(check)).reduce((worst, { state }) => ((RANK[state] ?? 1) > RANK[worst] ? state : worst), "ok");
}

// readyCount returns how many services are ready, and of how many that are not switched off.
export function readyCount(services) {
	return { ready: services.filter(({ state }) => state === "ready").length, all: services.length };
}

// doneShare returns how much of a backup is made, from 0 to 1; 0 if its size is not known yet.
export function doneShare(job) {
	return job?.total_bytes > 0 ? Math.min(1, job.done_bytes / job.total_bytes) : 0;
}

// byDay returns entries in groups of one day, in their order: [day, entries]. dayOf returns
// the day of an instant.
export function byDay(entries, dayOf) {
	const groups = [];
	for (const entry of entries) {
		const day = dayOf(entry.metadata?.at);
		if (groups.at(-1)?.[0] === day) groups.at(-1)[1].push(entry);
		else groups.push([day, [entry]]);
	}
	return groups;
}
