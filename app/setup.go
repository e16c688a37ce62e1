package app

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"

	"github.com/spf13/cobra"
)

// setupTime is how long the link to the set-up page is good.
const setupTime = time.Hour

// newSetupCode draws the code of the one-time link. It is kept as a hash, and
// only in memory.
func (s *server) newSetupCode() string {
	code := svc.NewSecret("")
	s.setup.Lock()
	defer s.setup.Unlock()
	s.setup.code, s.setup.until = hashCode(code), s.db.Now().Add(setupTime)
	return code
}

func hashCode(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}

// checkSetupCode reports whether the code opens the set-up page. The caller
// holds the lock of s.setup.
func (s *server) checkSetupCode(code string) error {
	if s.setup.code == "" || !s.db.Now().Before(s.setup.until) ||
		subtle.ConstantTimeCompare([]byte(s.setup.code), []byte(hashCode(code))) != 1 {
		return svc.Errorf(svc.LinkExpired, "This link was used or has expired. Start the server again for a new one, or run appliance setup.")
	}
	return nil
}

func (s *server) getSetup(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	code := r.URL.Query().Get("code")
	s.setup.Lock()
	err := s.checkSetupCode(code)
	s.setup.Unlock()
	if err != nil {
		return err
	}
	return s.render(w, http.StatusOK, "form", s.setupPage(code, url.Values{}))
}

func (s *server) setupPage(code string, given url.Values) page {
	email := field{Name: "email", Label: "E-mail address", Type: "email", Value: given.Get("email"), Complete: "email", Required: true}
	if list := s.settings.AdminAllowedEmails; len(list) > 0 {
		email.Note = "one of " + strings.Join(list, ", ")
	}
	return page{Title: "Welcome", Form: &form{
		Action: "/setup",
		Intro:  "This server has no members yet. Make yourself the first one; you will be its operator.",
		Hidden: []field{{Name: "code", Value: code}},
		Fields: append([]field{email}, newMemberFields(given)...),
		Button: "Begin",
	}}
}

func (s *server) postSetup(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	values, err := formValues(r)
	if err != nil {
		return err
	}
	code := values.Get("code")
	s.setup.Lock() // of two at once, one is too late
	defer s.setup.Unlock()
	if err := s.checkSetupCode(code); err != nil {
		return err
	}
	var session identity.Session
	err = s.setUp(r.Context(), registration(values, ""), func(tx *store.Tx, proof identity.Proof) (err error) {
		session, err = s.identity.Login(tx, proof, clientLabel(r))
		return err
	})
	if err != nil {
		return s.again(w, r, err, s.setupPage(code, values))
	}
	s.setup.code = ""
	s.enter(w, r, session, "/account")
	return nil
}

// setUp makes the first member, an operator, and writes their address into
// the settings file unless the environment names the operators. then is run in
// the same transaction.
func (s *server) setUp(ctx context.Context, in identity.Registration, then func(*store.Tx, identity.Proof) error) error {
	if fresh, err := s.fresh(ctx); err != nil {
		return err
	} else if !fresh {
		return svc.Errorf(svc.AlreadyExists, "This server is set up already. Add members with appliance admin members add.")
	}
	applicant, err := s.identity.Prepare(ctx, in)
	if err != nil {
		return err
	}
	if !s.settings.Identity().OperatorsFixed {
		// First: an operator whose address is in no list would be none.
		if err := config.AddOperator(s.settings.File(), in.Email); err != nil {
			return fmt.Errorf("writing the operator into %s: %w", s.settings.File(), err)
		}
	}
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		proof, err := s.identity.SetUp(tx, applicant)
		if err != nil {
			return err
		}
		return then(tx, proof)
	})
	if err != nil {
		return err
	}
	if err := os.Remove(s.settings.SetupLink()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("the set-up link, which is of no use any more, is still there", "err", err)
	}
	return nil
}

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
			return c.withServer(cmd.Context(), settings, func(s *server) error {
				var operator identity.AdminMember
				err := s.setUp(cmd.Context(), in, func(tx *store.Tx, proof identity.Proof) (err error) {
					operator, err = s.identity.FindMember(tx, identity.CommandLine(machineUser()), proof.Member().String())
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
				}{operator.Member, settings.URL().String(), settings.URL().String() + "/caldav/", settings.File()}
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
	db, err := openCurrent(ctx, settings, nil)
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
