package agent

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"
)

const cardPath = "/.well-known/agent-card.json"

// Options are limits and credentials. Zero values are the defaults.
type Options struct {
	// Tokens: the bearer tokens that let a caller in, or nothing to let everybody in. Callers with different tokens
	// don't see each other's tasks.
	Tokens []string
	// MaxBodyBytes is the size of the largest request body, 10 MiB by default.
	MaxBodyBytes int
	// MaxTasks are kept in memory, 1,000 by default. The oldest ended ones are dropped first.
	MaxTasks int
	// MaxRunning tasks run at a time, 100 by default. Those that wait for a person don't count.
	MaxRunning int
	// TaskTimeout is the longest time of a task between two questions, 15 minutes by default.
	TaskTimeout time.Duration
	// QuestionTimeout is the longest time that a question stays open, 24 hours by default.
	QuestionTimeout time.Duration
}

// Agent is an http.Handler around a Handler.
type Agent struct {
	card    Card
	options Options
	tokens  [][32]byte
	started string
	service *service
}

// New returns an agent. It takes at most one Options, and panics when a token is empty.
func New(card Card, handler Handler, options ...Options) *Agent {
	o := append(options, Options{})[0]
	o.MaxBodyBytes = cmp.Or(o.MaxBodyBytes, 10<<20)
	o.MaxTasks = cmp.Or(o.MaxTasks, 1000)
	o.MaxRunning = cmp.Or(o.MaxRunning, 100)
	o.TaskTimeout = cmp.Or(o.TaskTimeout, 15*time.Minute)
	o.QuestionTimeout = cmp.Or(o.QuestionTimeout, 24*time.Hour)
	a := &Agent{card: card.withDefaults(), options: o, started: time.Now().UTC().Format(http.TimeFormat)}
	for _, token := range o.Tokens {
		if token == "" {
			panic("agent: a token is empty. Leave it out to let everybody in, or set it to a random text.")
		}
		a.tokens = append(a.tokens, sha256.Sum256([]byte(token)))
	}
	tasks := &store{maxTasks: o.MaxTasks, maxBytes: 32 * o.MaxBodyBytes, ofMessage: map[[2]string]*record{}}
	a.service = &service{store: tasks, runner: newRunner(handler, o), inputModes: a.card.modes()}
	return a
}

// ServeHTTP responds to POST requests, and serves the card and /healthz below the path at which the agent is mounted.
func (a *Agent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case isRead && strings.HasSuffix(r.URL.Path, cardPath):
		a.serveCard(w, r)
	case isRead && strings.HasSuffix(r.URL.Path, "/healthz"):
		send(w, http.StatusOK, []byte(`{"status":"ok"}`))
	case r.Method == http.MethodPost:
		a.serveRPC(w, r)
	default:
		w.Header().Set("Allow", http.MethodPost)
		problem := "Send JSON-RPC with POST. The agent card is at " + cardPath + "."
		send(w, http.StatusMethodNotAllowed, encodeJSON(object{"error": problem}))
	}
}

func (a *Agent) serveRPC(w http.ResponseWriter, r *http.Request) {
	owner, isKnown := a.owner(r)
	mediaType, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	switch {
	case !isKnown:
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, r, refusal{http.StatusUnauthorized, "this agent needs the header Authorization: Bearer <token>."})
		return
	case !strings.EqualFold(strings.TrimSpace(mediaType), "application/json"):
		refuse(w, r, refusal{http.StatusUnsupportedMediaType, "send the header Content-Type: application/json."})
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, int64(a.options.MaxBodyBytes)+1))
	if err != nil {
		refuse(w, r, refusal{http.StatusBadRequest, "the body did not arrive."})
		return
	}
	if len(body) > a.options.MaxBodyBytes {
		refuse(w, r, refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d bytes.", a.options.MaxBodyBytes)})
		return
	}
	asked := cmp.Or(r.Header.Get("A2A-Version"), r.URL.Query().Get("A2A-Version"))
	a.write(w, r, a.service.respond(r.Context(), body, strings.TrimSpace(asked), owner))
}

func (a *Agent) write(w http.ResponseWriter, r *http.Request, answer response) {
	switch {
	case answer.isEmpty:
		w.WriteHeader(http.StatusNoContent)
	case answer.reply.events != nil:
		stream(w, r, answer)
	case answer.err != nil:
		if answer.err.status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "5")
		}
		send(w, cmp.Or(answer.err.status, http.StatusOK), answer.encode(nil))
	default:
		send(w, http.StatusOK, answer.encode(answer.reply.result))
	}
}

// owner returns who calls: empty when everybody may.
func (a *Agent) owner(r *http.Request) (string, bool) {
	if len(a.tokens) == 0 {
		return "", true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	given := sha256.Sum256([]byte(strings.TrimSpace(token)))
	owner, isKnown := "", false
	for _, known := range a.tokens {
		if subtle.ConstantTimeCompare(known[:], given[:]) == 1 {
			owner, isKnown = hex.EncodeToString(known[:]), strings.EqualFold(scheme, "bearer")
		}
	}
	return owner, isKnown
}

var hostPattern = regexp.MustCompile(`^[A-Za-z0-9.\-_\[\]:]{1,255}$`)

func (a *Agent) serveCard(w http.ResponseWriter, r *http.Request) {
	scheme, host := "http", "127.0.0.1"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	if hostPattern.MatchString(r.Host) {
		host = r.Host
	}
	card := a.card.encode(cmp.Or(a.card.URL, scheme+"://"+host+strings.TrimSuffix(r.URL.Path, cardPath)+"/"), len(a.tokens) > 0)
	sum := sha256.Sum256(card)
	etag := fmt.Sprintf(`"%x"`, sum[:16])
	w.Header().Set("Cache-Control", "private, max-age=60") // It has the URL of its request.
	if a.card.URL != "" {
		w.Header().Set("Cache-Control", "public, max-age=300")
	}
	w.Header().Set("Last-Modified", a.started)
	w.Header().Set("ETag", etag)
	if r.Header.Get("If-None-Match") == etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	send(w, http.StatusOK, card)
}
