package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"appliance/app"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

func (c *cli) setupCommand() *cobra.Command {
	var in identity.Registration
	var fromStdin, link bool
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Create the first operator without a browser, or print a new set-up link",
		Long: "Create the first operator, and store the name and the address of the server in the settings file. On a\n" +
			"terminal the command asks for missing values. With --link it prints a new link to the set-up page of\n" +
			"the running server instead, which creates the first operator in a browser.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			if link {
				return c.printSetupLink(cmd.Context(), settings)
			}
			if err := c.checkSetupNeeded(cmd.Context(), settings); err != nil {
				return err
			}
			if err := c.completeRegistration(&in); err != nil {
				return err
			}
			profile, err := c.completeProfile(settings)
			if err != nil {
				return err
			}
			if in.Password, err = c.newPassword(fromStdin, in.Email); err != nil {
				return err
			}
			if err := createDatabase(cmd.Context(), settings); err != nil {
				return err
			}
			return c.withApp(cmd.Context(), settings, func(a *app.App) error {
				var id svc.MemberID
				err := a.Setup.Create(cmd.Context(), in, func(_ *store.Tx, proof identity.Proof) error {
					id = proof.Member()
					return nil
				})
				if e, ok := errors.AsType[*svc.Error](err); ok && e.Code == svc.AlreadyExists && len(e.Fields) > 0 && e.Fields[0].Name == "email" {
					return fmt.Errorf("%w To make that member the operator, run: appliance admin members promote %s", err, in.Email)
				}
				if err != nil {
					return err
				}
				// This is a separate transaction, because the member is an operator
				// only after the set-up is committed.
				var operator identity.AdminMember
				err = a.DB.Read(cmd.Context(), func(tx *store.Tx) (err error) {
					operator, err = a.Identity.FindMember(tx, identity.CommandLine(machineUser()), id.String())
					return err
				})
				if err != nil {
					return err
				}
				if settings, err = c.storeProfile(cmd, settings, profile); err != nil {
					return err
				}
				result := struct {
					Member     identity.Member `json:"member"`
					Address    string          `json:"address"`
					CalDAV     string          `json:"caldav_url"`
					ConfigFile string          `json:"settings_file"`
				}{operator.Member, settings.URL().String(), settings.Link("/caldav/"), settings.File()}
				return c.print(result, func(w io.Writer) {
					fmt.Fprintf(w, "%s (%s) is an operator.\n", printableName(operator.DisplayName), operator.Email)
					if !c.isServerRunning {
						fmt.Fprintf(w, "Start the server with: appliance serve --data %s\n", settings.Data)
					}
					fmt.Fprintf(w, "CalDAV clients connect to %s\n", result.CalDAV)
				})
			})
		},
	}
	memberFlags(cmd, &in)
	config.AddFlags(cmd.Flags(), "server-name", "base-url")
	cmd.Flags().BoolVar(&fromStdin, "password-stdin", false, "Read the password from the first line of standard input.")
	cmd.Flags().BoolVar(&link, "link", false, "Print a new link to the set-up page of the running server.")
	return cmd
}

// completeProfile returns the name and the address of the server that flags have set. On a terminal
// it asks for those that nothing has set, as the set-up page does.
func (c *cli) completeProfile(settings *config.Settings) (p config.Profile, err error) {
	reach := ""
	if settings.IsLoopback() {
		reach = ", which only this machine can open"
	}
	p.ServerName, err = c.profileValue(settings, "server-name", settings.ServerName, "Name of the server, such as that of your house (members see it)",
		func(name string) config.Profile { return config.Profile{ServerName: name} })
	if err == nil {
		p.BaseURL, err = c.profileValue(settings, "base-url", settings.BaseURL, "Address at which members reach the server (empty: "+settings.URL().String()+reach+")",
			func(address string) config.Profile { return config.Profile{BaseURL: address} })
	}
	if err != nil {
		return p, err
	}
	return settings.CheckProfile(p)
}

// profileValue returns the value that a flag has set, or else the answer to prompt if nothing sets
// the setting and there is a terminal, or else "". It repeats the question until the profile with
// the answer is valid.
func (c *cli) profileValue(settings *config.Settings, setting, value, prompt string, profile func(string) config.Profile) (string, error) {
	source := settings.Source(setting)
	if strings.HasPrefix(source, "flag ") {
		return value, nil
	}
	for source == "" && c.terminal != nil {
		answer, err := c.ask(prompt, false)
		if err != nil {
			return "", err
		}
		if _, err = settings.CheckProfile(profile(answer)); err == nil {
			return answer, nil
		}
		c.printMessage("%s", errorText(err))
	}
	return "", nil
}

// storeProfile stores the name and the address of the server, and returns the settings that are
// then in use. The account of the operator exists already.
func (c *cli) storeProfile(cmd *cobra.Command, settings *config.Settings, p config.Profile) (*config.Settings, error) {
	if p == (config.Profile{}) {
		return settings, nil
	}
	if _, err := settings.StoreProfile(p); err != nil {
		return settings, fmt.Errorf("the operator was created, but the name and the address of the server were not stored: add server-name and base-url to %s: %w", settings.File(), err)
	}
	c.printMessage("The name and the address of the server are in %s.", settings.File())
	if c.isServerRunning {
		c.printMessage("Restart the server to apply them.")
	}
	stored, err := c.settings(cmd)
	if err == nil && p.BaseURL != "" {
		c.warnOfReach(settings, stored.URL())
	}
	return stored, err
}

// printSetupLink prints a new link to the set-up page of the running server, which then
// rejects the previous link.
func (c *cli) printSetupLink(ctx context.Context, settings *config.Settings) error {
	return c.withApp(ctx, settings, func(a *app.App) error {
		if !c.isServerRunning {
			return fmt.Errorf("no server is running on %s: start it with appliance serve, which prints a set-up link", settings.Data)
		}
		if needed, err := a.Setup.Needed(ctx); err != nil {
			return err
		} else if !needed {
			return svc.Errorf(svc.AlreadyExists, "This server has an operator already. Open %s and sign in.", settings.URL())
		}
		link, err := a.Setup.NewLink()
		if err != nil {
			return err
		}
		result := struct {
			Link string `json:"link"`
		}{link}
		return c.print(result, func(w io.Writer) {
			fmt.Fprintf(w, "%s\n", link)
			c.printMessage("The link works once, within one hour. The previous link is invalid.")
		})
	})
}

// checkSetupNeeded returns an error if the database exists and has an operator. It runs before the
// command asks for anything.
func (c *cli) checkSetupNeeded(ctx context.Context, settings *config.Settings) error {
	status, err := store.Inspect(ctx, settings.Database())
	if err != nil || !status.Exists {
		return err
	}
	return c.withApp(ctx, settings, func(a *app.App) error { return a.Setup.CheckNoOperator(ctx) })
}

// createDatabase creates the database if it does not exist.
func createDatabase(ctx context.Context, settings *config.Settings) error {
	status, err := store.Inspect(ctx, settings.Database())
	if err != nil || status.Exists {
		return err
	}
	db, err := app.OpenDatabase(ctx, settings, nil)
	if err != nil {
		return err
	}
	return db.Close()
}

// memberFlags registers the flags that describe a new member.
func memberFlags(cmd *cobra.Command, in *identity.Registration) {
	cmd.Flags().StringVar(&in.Email, "email", "", "E-mail address.")
	cmd.Flags().StringVar(&in.Username, "username", "", "User name; by default derived from the e-mail address.")
	cmd.Flags().StringVar(&in.DisplayName, "display-name", "", "Display name; by default the user name.")
}

// completeRegistration asks on the terminal for the values that no flag has set. It repeats the question for
// the e-mail address until it is one.
func (c *cli) completeRegistration(in *identity.Registration) (err error) {
	if in.Email == "" && c.terminal != nil {
		for in.Email == "" {
			answer, err := c.ask("E-mail address", false)
			if err != nil {
				return err
			}
			if in.Email, err = identity.CheckEmail(answer); err != nil {
				c.printMessage("%s", errorText(err))
			}
		}
		if in.Username == "" {
			in.Username, err = c.ask("User name (empty: derived from the e-mail address)", false)
		}
		if err == nil && in.DisplayName == "" {
			in.DisplayName, err = c.ask("Display name (empty: the user name)", false)
		}
	}
	return err
}
