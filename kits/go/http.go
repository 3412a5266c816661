package agent

import (
	"bytes"
	"io"
	"net/http"
	"time"
)

// patience is how long a client may take to read what it is sent.
const patience = 30 * time.Second

func send(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // A client that is gone needs no response.
}

type refusal struct {
	status  int
	problem string
}

// refuse reads what the client is still sending, so that it gets the response; it gives up on too much.
func refuse(w http.ResponseWriter, r *http.Request, because refusal) {
	_, _ = io.CopyN(io.Discard, r.Body, 64<<20)
	send(w, because.status, response{version: "1.0", err: invalidRequest(because.problem)}.encode(nil))
}

// stream sends events until the stream ends or the client is gone. The task goes on without its client.
func stream(w http.ResponseWriter, r *http.Request, answer response) {
	control := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	write := func(lines []byte) bool {
		_ = control.SetWriteDeadline(time.Now().Add(patience)) // Not every ResponseWriter has one.
		_, err := w.Write(lines)
		return err == nil && control.Flush() == nil
	}
	event := func(result object) []byte {
		return append(append([]byte("data: "), answer.encode(result)...), "\n\n"...)
	}
	if !write(event(answer.reply.result)) {
		return
	}
	for {
		events, isOpen := answer.reply.events.next(r.Context())
		if !isOpen {
			return
		}
		lines := [][]byte{}
		for _, each := range events {
			lines = append(lines, event(each))
		}
		if len(lines) == 0 {
			lines = [][]byte{[]byte(": waiting\n\n")}
		}
		if !write(bytes.Join(lines, nil)) {
			return
		}
		time.Sleep(pace)
	}
}
