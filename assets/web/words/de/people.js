// German texts of People.

// catalog returns words.people as functions that return texts, see loadWords in words.js. Times are passed as
// texts. depth is 0 for no circle, 1 for the inner, 2 for the trusted and 3 for the extended circle.
export const catalog = ({ number }) => ({
	title: () => "Mitglieder",
	profile: () => "Dein Profil",
	show: () => "Anzeigen",
	circles: () => "Kreise",
	everybody: () => "Alle",
	find: () => "Mitglied finden",
	noOtherMember: () => "Es gibt noch kein anderes Mitglied.",
	more: () => "Weitere Mitglieder",
	circle: (depth) => ["Mitglieder", "Innerer Kreis", "Vertrauter Kreis", "Erweiterter Kreis"][depth],
	inCircle: (depth) => ["", "Innerer Kreis", "Vertrauter Kreis", "Erweiterter Kreis"][depth],
	noCircle: () => "Nicht in deinen Kreisen",
	why: (depth) => [
		"nicht in deinen Kreisen",
		"ihr teilt eine private Gemeinschaft",
		"teilt eine private Gemeinschaft mit deinem inneren Kreis",
		"teilt eine private Gemeinschaft mit deinem vertrauten Kreis",
	][depth],
	because: (depth, communities) => [
		"",
		communities ? `Innerer Kreis: Ihr teilt ${communities}` : "Innerer Kreis: Ihr teilt eine private Gemeinschaft",
		"Vertrauter Kreis: teilt eine private Gemeinschaft mit deinem inneren Kreis",
		"Erweiterter Kreis: teilt eine private Gemeinschaft mit deinem vertrauten Kreis",
	][depth],
	yourCircles: () => "Deine Kreise",
	ringsLabel: (inner, trusted, extended) =>
		`Deine Kreise: ${number(inner)} innen, ${number(trusted)} vertraut, ${number(extended)} erweitert`,
	howCircles: () => "Kreise entstehen aus privaten Gemeinschaften. "
		+ "Mitglieder, die eine mit dir teilen, sind in deinem inneren Kreis, "
		+ "Mitglieder, die eine mit diesen teilen, im vertrauten, und noch einen Schritt weiter im erweiterten Kreis. "
		+ "Mitglieder können sich nicht selbst hinzufügen, und kein anderes Mitglied sieht deine Kreise.",
	message: () => "Nachricht",
	messageTo: (name) => `Nachricht an ${name}`,
	send: () => "Senden",
	inviteTo: () => "Einladen zu …",
	invited: (name, title) => `${name} ist eingeladen: ${title}.`,
	username: () => "Benutzername",
	link: () => "Link",
	visibility: () => "Sichtbarkeit",
	visibleTo: (audience) => ({
		circle: "Nur die Kreise dieses Mitglieds sehen diese Seite",
		members: "Alle Mitglieder sehen diese Seite",
		public: "Alle sehen diese Seite",
	})[audience] ?? audience,
	shared: () => "Ihr teilt",
	nextTogether: () => "Als Nächstes gemeinsam",
	hosts: (name) => `${name} ist Gastgeber`,
	blockedDone: (name) => `${name} ist blockiert.`,
	aboutYou: () => "Über dich",
	seenBy: (audience) => `Sichtbar für: ${audience}`,
	until: (when) => `Bis ${when}`,
	saved: () => "Gespeichert.",
	pictureSet: () => "Dein Bild ist geändert.",
	pictureRemoved: () => "Dein Bild ist entfernt.",
});
