// English texts of Today.

// catalog returns words.day as functions that return texts, see loadWords in words.js. Days and times
// are passed as texts.
export const catalog = ({ number, plural }) => ({
	// summary takes the numbers of the remaining entries of the day and of the invitations without an answer.
	summary: (remaining, unanswered) => [
		remaining === 0 ? "" : plural(remaining, {
			one: "One more entry today.", other: `${number(remaining)} more entries today.`,
		}),
		unanswered === 0 ? "" : plural(unanswered, {
			one: "One question waits for your answer.", other: `${number(unanswered)} questions wait for your answer.`,
		}),
	].filter(Boolean).join(" ") || "Nothing more today.",
	schedule: () => "Today",
	nothing: () => "Nothing today",
	nextIs: (title, when) => `Next is ${title}, ${when}.`,
	nothingPlanned: () => "Nothing is planned.",
	firstSteps: () => "First steps",
	inviteMembers: () => "Invite members",
	inviteMembersText: () => "A link for each person",
	connectDevice: () => "Connect a phone or computer",
	connectDeviceText: () => "Your calendars in the program you use",
	seeMembers: () => "See who is here",
	seeMembersText: () => "Members, communities and events",
	completeProfile: () => "Add a picture",
	completeProfileText: () => "And how others see you",
	theWeek: () => "The week",
	allActivity: () => "All activity",
	allTasks: () => "All tasks",
	nothingLately: () => "Nothing new.",
	nothingToDo: () => "Nothing to do.",
	now: (time) => `It is ${time}`,
	freeUntil: (time) => `free until ${time}`,
	until: (day) => `until ${day}`,
	allDay: () => "all day",
	whoIsThere: () => "Online now",
	noOtherMember: () => "No other member is online.",
	newTask: () => "New task",
	complete: (title) => `Mark as done: ${title}`,
	asks: (name) => `${name} invites you`,
	says: (name, text) => `${name}: ${text}`,
});
