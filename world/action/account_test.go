package action

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"appliance/svc/calendar"
	"appliance/svc/identity"
	"appliance/svc/words"
)

// Covers B-108.
func TestActionsOnTheAccountFollowTheSecondFactors(t *testing.T) {
	factors := func(f identity.SecondFactor) string { return offeredNames(Factors, Account{Factor: f}) }
	for _, c := range []struct{ name, got, want string }{
		{"without a second factor", factors(identity.SecondFactor{TOTPAvailable: true}), "enroll_totp"},
		{"app without a code", factors(identity.SecondFactor{TOTPAvailable: true, TOTPPending: true}), "enroll_totp confirm_totp"},
		{"app", factors(identity.SecondFactor{TOTPAvailable: true, TOTP: new(identity.TOTP), Enabled: true}), "remove_totp renew_recovery_codes"},
		{"HTTPS", factors(identity.SecondFactor{PasskeysAvailable: true}), "begin_passkey add_passkey"},
		{"devices without HTTPS", offeredNames(Accounts, Account{}), "update sign_in_details report_timezone change_password create_device sign_out sign_out_others sign_out_everywhere open_export"},
		{"devices with HTTPS", offeredNames(Accounts, Account{HasDeviceLinks: true}), "update sign_in_details report_timezone change_password create_device set_up_device sign_out sign_out_others sign_out_everywhere open_export"},
		{"own session", offeredNames(Sessions, Session{Current: true}), "sign_out"},
		{"another session", offeredNames(Sessions, Session{}), "delete"},
		{"calendar", offeredNames(CalendarLinks, LinkedCalendar{}), "open_export import create_feed"},
		{"read-only calendar with a feed", offeredNames(CalendarLinks, LinkedCalendar{Calendar: calendar.Calendar{ReadOnly: true}, Feed: new(calendar.Feed)}), "open_export create_feed delete_feed"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
}

// A change of credentials asks for the password. With a second factor it asks for the
// password or a code, and the form requires neither. Covers B-108.
func TestChangesOfCredentialsAskForAConfirmation(t *testing.T) {
	with, without := account, account
	without.Factor = identity.SecondFactor{TOTPAvailable: true, PasskeysAvailable: true}
	for _, c := range []struct {
		name    string
		account Account
		want    string
	}{{"without a second factor", without, "current_password*"}, {"with a second factor", with, "current_password code"}} {
		offers := slices.Concat(Accounts.Offers(words.English, c.account, "sign_in_details"), Factors.Offers(words.English, c.account, "enroll_totp", "remove_totp", "renew_recovery_codes", "begin_passkey"),
			Passkeys.Offers(words.English, Passkey{Account: c.account}))
		for _, o := range offers {
			var got []string
			for _, control := range o.Controls() {
				if control.ID != "current_password" && control.ID != "code" {
					continue
				}
				name := control.ID
				if control.Required {
					name += "*"
				}
				got = append(got, name)
			}
			if got := strings.Join(got, " "); got != c.want {
				t.Errorf("%s, %s: got the controls %q, want %q", c.name, o.Name, got, c.want)
			}
		}
	}
}

// No read contains a secret, so a control for one has no default. Covers PT-08.
func TestControlsForSecretsHaveNoDefault(t *testing.T) {
	offers := slices.Concat(Accounts.Offers(words.English, account), Factors.Offers(words.English, account), Passkeys.Offers(words.English, Passkey{Account: account}))
	n := 0
	for _, o := range offers {
		for _, c := range o.Controls() {
			if c.Type != "password" {
				continue
			}
			n++
			if c.Default != nil {
				t.Errorf("%s, %s: got the default %v, want none", o.Name, c.ID, c.Default)
			}
		}
	}
	if n < 5 {
		t.Errorf("got %d controls for secrets, want at least 5", n)
	}
}

// Only languages with texts are offered. The current value stays, also with a region or without texts.
func TestLocaleControlOffersTheLanguagesWithTexts(t *testing.T) {
	for locale, want := range map[string]string{
		"en": "en=English de=Deutsch", "de-CH": "en=English de-CH=Deutsch", "tlh": "tlh=tlh: English en=English de=Deutsch", "pt-BR": "pt-BR=pt-BR: English en=English de=Deutsch",
	} {
		if got := optionsText(localeControl(locale)); got != want {
			t.Errorf("%s: got the options %q, want %q", locale, got, want)
		}
	}
}

func TestFormatsControlShowsExamplesInTheLanguage(t *testing.T) {
	for _, c := range []struct{ locale, formats, want string }{
		{"de", "", "de-AT=Österreich: 3. Dezember 2026, 14:30, 1 234,5"},
		{"fr", "", "en-GB=United Kingdom: 3 December 2026, 14:30, 1,234.5"},
		{"en", "de-AT", " de-AT=Austria: 3 December 2026, 14:30, 1.234,5"},
		{"de", "ja-JP", "ja-JP=ja-JP"},
	} {
		m := identity.Member{Locale: c.locale}
		if c.formats != "" {
			m.Formats = &c.formats
		}
		control := formatsControl(m)
		if got := strings.ReplaceAll(optionsText(control), "\u00a0", " "); !strings.Contains(got, c.want) || strings.Count(got, "-AT=") != 1 || control.Default != c.formats {
			t.Errorf("%s, %s: got the options %q and the default %q, want %q", c.locale, c.formats, got, control.Default, c.want)
		}
	}
}

// optionsText returns the options of a control as values and labels.
func optionsText(c Control) string {
	var list []string
	for _, o := range c.Options {
		list = append(list, o.Value+"="+o.Label)
	}
	return strings.Join(list, " ")
}

// The schemas list all types of controls, and the manual explains them.
func TestControlTypesArePublished(t *testing.T) {
	names := ControlType("").Values()
	for _, contract := range []string{"service.runtime.dataset.1", "service.world.panel.1", "service.settings.panel.1"} {
		text, err := os.ReadFile("../../assets/schema/" + contract + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Defs struct {
				Control struct {
					Properties struct {
						Type struct{ Enum []string } `json:"type"`
					} `json:"properties"`
				}
			} `json:"$defs"`
		}
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		if got := schema.Defs.Control.Properties.Type.Enum; !slices.Equal(got, names) {
			t.Errorf("%s: got the types %q, want %q", contract, got, names)
		}
	}
	manual, err := os.ReadFile("../../assets/manual/runtimes.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if row := "| `" + name + "` | "; !strings.Contains(string(manual), row) {
			t.Errorf("runtimes.md: got no line %s", row)
		}
	}
}
