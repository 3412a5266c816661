package agent

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"
)

var states = []string{"submitted", working, completed, failed, canceled, inputRequired, "rejected", "auth-required"}

// listing is what ListTasks is sent, validated.
type listing struct {
	contextID, state string
	after            time.Time
	before           int64 // the order of the last task of the page before, or 0
	pageSize         int
	history          int
	artifacts        bool
}

// list returns the tasks by the time of their status, newest first, a page at a time.
func (s *service) list(c call) (reply, error) {
	asked, err := readListing(c.params)
	if err != nil {
		return reply{}, err
	}
	found := slices.DeleteFunc(s.store.all(c.from.owner), func(each *record) bool { return !asked.matches(each) })
	orders := map[*record]int64{}
	for _, each := range found {
		orders[each] = each.changedAt()
	}
	slices.SortFunc(found, func(a, b *record) int { return int(orders[b] - orders[a]) })
	total := len(found)
	rest := slices.DeleteFunc(found, func(each *record) bool { return asked.before > 0 && orders[each] >= asked.before })
	page, next := rest, ""
	if len(rest) > asked.pageSize {
		page = rest[:asked.pageSize]
		next = base64.URLEncoding.EncodeToString(strconv.AppendInt(nil, orders[page[len(page)-1]], 10))
	}
	return reply{result: object{"tasks": shown(page, asked), "nextPageToken": next, "pageSize": asked.pageSize, "totalSize": total}}, nil
}

// shown returns the tasks of a page. One may have changed since it was sorted: its place is that of the status that is
// shown.
func shown(page []*record, asked listing) []object {
	type listed struct {
		order int64
		task  object
	}
	all := make([]listed, len(page))
	for at, each := range page {
		all[at].order, all[at].task = each.listed(asked.history, asked.artifacts)
	}
	slices.SortFunc(all, func(a, b listed) int { return int(b.order - a.order) })
	tasks := make([]object, len(all))
	for at, each := range all {
		tasks[at] = each.task
	}
	return tasks
}

func (l listing) matches(each *record) bool {
	status := each.toJSON(0, false)["status"].(object)
	at, _ := time.Parse(time.RFC3339, status["timestamp"].(string))
	return (l.contextID == "" || l.contextID == each.contextID) &&
		(l.state == "" || l.state == status["state"]) && !at.Before(l.after)
}

func readListing(params object) (l listing, err error) {
	if l.contextID, err = optionalText(params, "contextId", ""); err != nil {
		return l, err
	}
	if l.state, err = readState(params); err != nil {
		return l, err
	}
	if l.after, err = readTime(params); err != nil {
		return l, err
	}
	if l.before, err = readToken(params); err != nil {
		return l, err
	}
	if l.pageSize, err = optionalCount(params, "pageSize", bounds{1, 100}); err != nil {
		return l, err
	}
	if l.pageSize < 0 {
		l.pageSize = 50
	}
	if l.history, err = optionalCount(params, "historyLength", anyCount); err != nil {
		return l, err
	}
	l.history = max(l.history, 0)
	l.artifacts, _, err = optionalFlag(params, "includeArtifacts", "")
	return l, err
}

func readState(params object) (string, error) {
	state, err := optionalText(params, "status", "")
	if err != nil || state == "" || state == "TASK_STATE_UNSPECIFIED" {
		return "", err
	}
	if !strings.HasPrefix(state, "TASK_STATE_") || !slices.Contains(states, stateOf(state)) || wireState(stateOf(state)) != state {
		return "", invalidParams("status", "must be a task state such as TASK_STATE_WORKING")
	}
	return state, nil
}

func readTime(params object) (time.Time, error) {
	text, err := optionalText(params, "statusTimestampAfter", "")
	if err != nil || text == "" {
		return time.Time{}, err
	}
	after, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return after, invalidParams("statusTimestampAfter", "must be a time such as 2026-01-31T12:00:00Z")
	}
	return after, nil
}

func readToken(params object) (int64, error) {
	token, err := optionalText(params, "pageToken", "")
	if err != nil || token == "" {
		return 0, err
	}
	text, err := base64.URLEncoding.DecodeString(token)
	order, isNumber := strconv.ParseInt(string(text), 10, 64)
	if err != nil || isNumber != nil || order <= 0 {
		return 0, invalidParams("pageToken", "is not a token that this agent gave")
	}
	return order, nil
}
