// Helpers for the panels of the settings and of operators, without DOM.

// mergePages returns a panel with the items of all pages of a paginated panel. lists has the names of
// the fields that are lists of items besides the sections. Its field `page` comes from the last page;
// all other fields come from the first page. Of items with the same id, only the first one remains: each
// page contains also the whole sections that are not paginated, and an item may move to another page
// between two requests.
export function mergePages(pages, lists = []) {
	const [first, ...others] = pages;
	if (others.length === 0) return first;
	const result = { ...first, page: pages.at(-1).page };
	const withoutDuplicates = (items, knownIds = new Set()) => items.filter(({ id }) => !knownIds.has(id) && knownIds.add(id));
	for (const name of lists) result[name] = withoutDuplicates(pages.flatMap((page) => page[name] ?? []));
	const itemsOf = (page, section) => page.sections?.find(({ id }) => id === section.id)?.items ?? [];
	result.sections = first.sections.map((section) => (
		{ ...section, items: withoutDuplicates(pages.flatMap((page) => itemsOf(page, section))) }
	));
	return result;
}

// FORM_TYPES are the action types of the forms whose id is not the type without its prefix.
const FORM_TYPES = {
	sign_out: "member.sign_out", sign_out_others: "member.sessions.delete_others",
	sign_out_everywhere: "member.sessions.delete_all", back_up: "admin.backup.create",
	invite: "admin.invitation.create", add_member: "admin.member.add",
	empty_trash: "empty_trash", create_calendar: "create_calendar", block: "social.block",
};

// withActionType returns a form of a panel with its action type in place of "submit_form". The type decides
// whether the app may send a request again. prefix is "member" for forms of the settings, and
// "admin.member" for forms that change a member.
export function withActionType(form, prefix) {
	return { ...form, type: FORM_TYPES[form.id] ?? `${prefix}.${form.id}` };
}

// formOf returns the form with an id of a panel or an item, or undefined.
export function formOf(owner, id, prefix = "member") {
	const form = owner?.action_descriptors?.find((descriptor) => descriptor.id === id);
	return form && withActionType(form, prefix);
}

// deviceIcon returns the name of the icon for a device or a browser, guessed from its name.
export function deviceIcon(name) {
	if (/ipad|tablet|kindle/i.test(name)) return "tablet";
	if (/iphone|android|phone|mobile|handy|pixel|galaxy/i.test(name)) return "device";
	if (/curl|program|script|bot|api/i.test(name)) return "server";
	return "laptop";
}

// detailOf returns a summary without its first part, which is the time of an entry.
export function detailOf(summary) {
	return (summary ?? "").split(" · ").slice(1).join(" · ");
}

// platformOf returns the platform whose set-up steps are shown first: the platform of the browser or, for a
// platform without steps, "iphone", whose steps begin with a QR code for another device.
export function platformOf(userAgent) {
	if (/iphone|ipad/i.test(userAgent)) return "iphone";
	if (/android/i.test(userAgent)) return "android";
	if (/macintosh|mac os x/i.test(userAgent)) return "mac";
	return "iphone";
}

// usedShare returns the used fraction of a limit, from 0 to 1; 0 without a limit.
export function usedShare({ used_bytes: used, limit_bytes: limit } = {}) {
	return limit > 0 ? Math.min(1, Math.max(0, used / limit)) : 0;
}

// groupCharacters returns a key in groups of four characters, which are easier to type. Authenticator apps
// ignore the spaces.
export function groupCharacters(key) {
	return key.match(/.{1,4}/g)?.join(" ") ?? key;
}
