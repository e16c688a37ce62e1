package cli

import (
	"context"
	"errors"
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
	var fromStdin, link bool
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Create the first operator without a browser, or print a new set-up link",
		Long: "Create the first operator. On a terminal the command asks for missing values. With --link it\n" +
			"prints a new link to the set-up page of the running server instead, which creates the first\n" +
			"operator in a browser.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			if link {
				return c.printSetupLink(cmd.Context(), settings)
			}
			if err := c.completeRegistration(&in); err != nil {
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
	cmd.Flags().BoolVar(&fromStdin, "password-stdin", false, "Read the password from the first line of standard input.")
	cmd.Flags().BoolVar(&link, "link", false, "Print a new link to the set-up page of the running server.")
	return cmd
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

// completeRegistration asks on the terminal for the values that no flag has set.
func (c *cli) completeRegistration(in *identity.Registration) (err error) {
	if in.Email == "" && c.terminal != nil {
		if in.Email, err = c.ask("E-mail address", false); err == nil && in.Username == "" {
			in.Username, err = c.ask("User name (empty: derived from the e-mail address)", false)
		}
		if err == nil && in.DisplayName == "" {
			in.DisplayName, err = c.ask("Display name (empty: the user name)", false)
		}
	}
	return err
}
