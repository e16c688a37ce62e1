package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"appliance/app"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

func (c *cli) setupCommand() *cobra.Command {
	var in identity.Registration
	var fromStdin bool
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Make the first operator without a browser",
		Long: "Make the first member, who is the operator. On a terminal it asks for what is missing. The address is\n" +
			"written to admin-allowed-emails in the settings file.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			if err := c.askWhoIsMissing(&in); err != nil {
				return err
			}
			if in.Password, err = c.password(fromStdin); err != nil {
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
				if err != nil {
					return err
				}
				// In a transaction of its own: the member is an operator once the
				// set-up is committed.
				var operator identity.AdminMember
				err = a.DB.Read(cmd.Context(), func(tx *store.Tx) (err error) {
					operator, err = a.Identity.FindMember(tx, identity.CommandLine(machineUser()), id.String())
					return err
				})
				if err != nil {
					return err
				}
				result := struct {
					Member     identity.Member `json:"member"`
					Address    string          `json:"address"`
					CalDAV     string          `json:"caldav_url"`
					ConfigFile string          `json:"settings_file"`
				}{operator.Member, settings.URL().String(), settings.Link("/caldav/"), settings.File()}
				served := isServed(settings.Data)
				if served {
					c.say("A server is running on this data: restart it, so that it knows its operator.")
				}
				return c.print(result, func(w io.Writer) {
					fmt.Fprintf(w, "%s (%s) is the operator.\n", plain(operator.DisplayName), operator.Email)
					if !served {
						fmt.Fprintf(w, "Start the server with: appliance serve --data %s\n", settings.Data)
					}
					fmt.Fprintf(w, "Calendar programs connect to %s\n", result.CalDAV)
				})
			})
		},
	}
	memberFlags(cmd, &in)
	cmd.Flags().BoolVar(&fromStdin, "password-stdin", false, "Read the password from the first line of stdin.")
	return cmd
}

// createDatabase makes the database if there is none yet.
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

// isServed reports whether a server is running on the data directory.
func isServed(dir string) bool {
	unlock, err := store.Lock(dir)
	if err == nil {
		_ = unlock() // it was only asked
	}
	return isLocked(err)
}

// memberFlags are the flags that describe a new member.
func memberFlags(cmd *cobra.Command, in *identity.Registration) {
	cmd.Flags().StringVar(&in.Email, "email", "", "E-mail address.")
	cmd.Flags().StringVar(&in.Username, "username", "", "User name; made of the address unless given.")
	cmd.Flags().StringVar(&in.DisplayName, "display-name", "", "Name as others see it; the user name unless given.")
}

// askWhoIsMissing asks a person at the terminal for what has no flag.
func (c *cli) askWhoIsMissing(in *identity.Registration) (err error) {
	if in.Email == "" && c.terminal != nil {
		if in.Email, err = c.ask("E-mail address", false); err == nil && in.Username == "" {
			in.Username, err = c.ask("User name (empty: made of the address)", false)
		}
		if err == nil && in.DisplayName == "" {
			in.DisplayName, err = c.ask("Name (empty: the user name)", false)
		}
	}
	return err
}
