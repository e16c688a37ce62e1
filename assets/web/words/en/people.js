// English texts of People.

// catalog returns words.people as functions that return texts, see loadWords in words.js. Times are passed as
// texts. depth is 0 for no circle, 1 for the inner, 2 for the trusted and 3 for the extended circle.
export const catalog = ({ number }) => ({
	title: () => "People",
	profile: () => "Your profile",
	show: () => "Show",
	circles: () => "Circles",
	everybody: () => "Everyone",
	find: () => "Find a member",
	noOtherMember: () => "There is no other member yet.",
	more: () => "More members",
	circle: (depth) => ["Members", "Inner", "Trusted", "Extended"][depth],
	inCircle: (depth) => ["", "Inner circle", "Trusted circle", "Extended circle"][depth],
	noCircle: () => "Not in your circles",
	why: (depth) => [
		"not in your circles",
		"you share a private community",
		"shares a private community with your inner circle",
		"shares a private community with your trusted circle",
	][depth],
	because: (depth, communities) => [
		"",
		communities ? `Inner circle: you share ${communities}` : "Inner circle: you share a private community",
		"Trusted circle: shares a private community with your inner circle",
		"Extended circle: shares a private community with your trusted circle",
	][depth],
	yourCircles: () => "Your circles",
	ringsLabel: (inner, trusted, extended) =>
		`Your circles: ${number(inner)} inner, ${number(trusted)} trusted, ${number(extended)} extended`,
	howCircles: () => "Circles result from private communities. "
		+ "Members who share one with you are in your inner circle, "
		+ "members who share one with them in the trusted circle, and one step further in the extended circle. "
		+ "Members cannot add themselves, and no other member sees your circles.",
	message: () => "Message",
	messageTo: (name) => `Message to ${name}`,
	send: () => "Send",
	inviteTo: () => "Invite to…",
	invited: (name, title) => `${name} is invited to ${title}.`,
	username: () => "User name",
	link: () => "Link",
	visibility: () => "Visibility",
	visibleTo: (audience) => ({
		circle: "Only the circles of this member see this page",
		members: "Every member sees this page",
		public: "Everyone sees this page",
	})[audience] ?? audience,
	shared: () => "You share",
	nextTogether: () => "Next together",
	hosts: (name) => `${name} is the host`,
	blockedDone: (name) => `${name} is blocked.`,
	aboutYou: () => "About you",
	seenBy: (audience) => `Visible to: ${audience}`,
	until: (when) => `Until ${when}`,
	saved: () => "Saved.",
	pictureSet: () => "Your picture is changed.",
	pictureRemoved: () => "Your picture is removed.",
});
