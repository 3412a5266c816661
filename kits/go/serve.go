package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// grace is how long running tasks may take after SIGTERM.
const grace = 25 * time.Second

// Serve serves an agent until SIGTERM or Ctrl+C, on HOST (127.0.0.1 by default) and PORT (8090 by default). It prints
// its URL, and ends the process with a message when it can't listen.
func Serve(card Card, handler Handler, options ...Options) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	address := net.JoinHostPort(cmp.Or(os.Getenv("HOST"), "127.0.0.1"), cmp.Or(os.Getenv("PORT"), "8090"))
	context.AfterFunc(ctx, stop) // A second signal ends the process at once.
	if err := New(card, handler, options...).ListenAndServe(ctx, address); err != nil {
		fmt.Fprintf(os.Stderr, "%v. Set PORT to another port.\n", err)
		os.Exit(1)
	}
}

// ListenAndServe serves the agent until the context is done, then lets running tasks end for up to 25 seconds.
func (a *Agent) ListenAndServe(ctx context.Context, address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           a,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	fmt.Printf("Listening on %s\n", urlOf(listener.Addr().(*net.TCPAddr)))
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	patient, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	a.service.runner.stop(patient)
	rest, cancelRest := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancelRest()
	if err := server.Shutdown(rest); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

func urlOf(address *net.TCPAddr) string {
	if address.IP.IsUnspecified() {
		return fmt.Sprintf("http://127.0.0.1:%d", address.Port)
	}
	return "http://" + address.String()
}
