// The latest search of Find. A search has a query, a scope such as "everywhere" or "nearby", and the origin
// of the field, which is null without a position. Only the scope "nearby" depends on the origin.

const MAX_AGE = 10 * 60_000; // time for which the results in the panel of Find are reused, in milliseconds

// Search has the state and the results of the latest search. It outlives the views, so that the results
// are not requested again after the member has read one of them.
export class Search {
	key = ""; // keyOf the search, "" for none
	status = "idle"; // "idle", "running", "done" or "failed"
	outcome = null; // response of the server
	error = null;
	findings = [];
	#controller = null; // AbortController of the latest request
	#onChange = () => {}; // the parameter changed of the latest call of run

	constructor(app) {
		this.app = app;
	}

	// run sends a search, unless it is the latest one and has not failed. It reuses the results in the
	// panel if they are those of the same search, see latestOf. Options:
	//
	//   panel    the panel of Find, which has the action of the search
	//   again    whether to send the search in any case
	//   changed  function (), called when the status changes, unless the search was cleared or replaced. The function
	//            of a later call replaces it, because another view may show the search when its results arrive
	async run({ query, scope, origin }, { panel, again = false, changed }) {
		this.#onChange = changed;
		const key = keyOf(query, scope, origin);
		if (key === this.key && !again && this.status !== "failed") return;
		this.#controller?.abort();
		const { signal } = (this.#controller = new AbortController());
		Object.assign(this, { key, status: "running", outcome: null, error: null, findings: [] });
		const latestOutcome = again ? null : latestOf(panel, { query, scope });
		if (latestOutcome) {
			Object.assign(this, { status: "done", outcome: latestOutcome, findings: panel.findings });
			return this.#onChange();
		}
		this.#onChange();
		try {
			const fields = { query, scope, ...(origin && { origin }) };
			const outcome = await this.app.dispatcher.perform(panel.composer.action, {}, { fields, signal });
			if (signal.aborted) return undefined;
			Object.assign(this, { status: "done", outcome, findings: outcome?.findings ?? [] });
		} catch (error) {
			if (signal.aborted || error.name === "AbortError") return undefined;
			Object.assign(this, { status: "failed", error });
		}
		return this.#onChange();
	}

	// clear removes the results and aborts the request.
	clear() {
		this.#controller?.abort();
		Object.assign(this, { key: "", status: "idle", outcome: null, error: null, findings: [] });
	}
}

// keyOf returns a text that identifies a search. It contains the origin only if the scope is "nearby".
export function keyOf(query, scope, origin) {
	return JSON.stringify([query.trim(), scope, scope === "nearby" && origin ? [origin.latitude, origin.longitude] : null]);
}

// latestOf returns the outcome of the latest search in a panel of Find, if it was successful, has the
// same query and scope, and is not older than MAX_AGE; otherwise null. After a reload of the page, it
// saves a request. The outcome of a search nearby is not reused, because the panel does not have its
// origin. now is in milliseconds since 1970.
export function latestOf(panel, { query, scope }, now = Date.now()) {
	const latestItem = panel?.sections?.find(({ id }) => id === "recent")?.items?.[0];
	if (!latestItem || scope === "nearby") return null;
	const { scope: latestScope, applied_scope: appliedScope, status, created_at: at, place } = latestItem.metadata ?? {};
	if (latestItem.title !== query.trim() || latestScope !== scope || status !== "ok" || now - Date.parse(at) > MAX_AGE) return null;
	return { status, applied: { scope: appliedScope, place, origin: null, radius_meters: 0 }, provider_errors: [] };
}
