// Creates, reads and ticks tasks with KCalendarCore, as KOrganizer and Merkuro do.
//
// Reads one JSON object per line from standard input, and prints one per line:
//
//	{"create": {"uid", "start", "due", "rule"}}  prints {"text"}, the new task
//	{"tick": text}                               prints {"text"}, the task after its next occurrence was completed
//	{"read": text}                               prints {"done", "due", "overdue"}
//
// A time is local, as in 2026-11-05T18:00:00, or a date; times are in the time zone TZ.
#include <KCalendarCore/ICalFormat>
#include <KCalendarCore/MemoryCalendar>
#include <KCalendarCore/Todo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimeZone>
#include <iostream>
#include <string>

using namespace KCalendarCore;

static const QTimeZone zone(qgetenv("TZ"));

static QDateTime parseTime(const QString &text)
{
	QDateTime t = QDateTime::fromString(text, Qt::ISODate);
	t.setTimeZone(zone);
	return t;
}

static QString formatTime(const QDateTime &t, bool allDay)
{
	return allDay ? t.date().toString(Qt::ISODate) : t.toTimeZone(zone).toString(QStringLiteral("yyyy-MM-ddThh:mm:ss"));
}

static MemoryCalendar::Ptr parse(const QString &text)
{
	MemoryCalendar::Ptr calendar(new MemoryCalendar(zone));
	if (!ICalFormat().fromString(calendar, text)) {
		std::cerr << "KCalendarCore cannot read\n" << qPrintable(text);
		exit(1);
	}
	return calendar;
}

static QJsonObject create(const QJsonObject &task)
{
	const QString start = task["start"].toString(), due = task["due"].toString();
	Todo::Ptr todo(new Todo);
	todo->setUid(task["uid"].toString());
	todo->setSummary(todo->uid());
	if (!start.isEmpty())
		todo->setDtStart(parseTime(start));
	if (!due.isEmpty())
		todo->setDtDue(parseTime(due), true);
	todo->setAllDay(!(start + due).contains('T'));
	RecurrenceRule *rule = new RecurrenceRule;
	if (!ICalFormat().fromString(rule, task["rule"].toString()))
		exit(1);
	rule->setStartDt(start.isEmpty() ? todo->dtDue(true) : todo->dtStart(true));
	rule->setAllDay(todo->allDay());
	todo->recurrence()->addRRule(rule);
	MemoryCalendar::Ptr calendar(new MemoryCalendar(zone));
	calendar->addTodo(todo);
	return {{"text", ICalFormat().toString(calendar)}};
}

// next returns the task, or the override of it, that is open and due first; null if there is none.
static Todo::Ptr next(const MemoryCalendar::Ptr &calendar)
{
	Todo::Ptr first;
	for (const Todo::Ptr &todo : calendar->rawTodos()) {
		if (!todo->isCompleted() && todo->status() != Incidence::StatusCanceled && (!first || todo->dtDue() < first->dtDue()))
			first = todo;
	}
	return first;
}

static QJsonObject tick(const QString &text)
{
	MemoryCalendar::Ptr calendar = parse(text);
	if (Todo::Ptr todo = next(calendar))
		todo->setCompleted(QDateTime::currentDateTimeUtc());
	return {{"text", ICalFormat().toString(calendar)}};
}

static QJsonObject read(const QString &text)
{
	MemoryCalendar::Ptr calendar = parse(text);
	Todo::Ptr todo = next(calendar);
	if (!todo)
		return {{"done", true}, {"due", ""}, {"overdue", false}};
	const QDateTime due = todo->hasDueDate() ? todo->dtDue() : todo->dtStart();
	return {{"done", false}, {"due", formatTime(due, todo->allDay())}, {"overdue", todo->isOverdue()}};
}

int main()
{
	for (std::string line; std::getline(std::cin, line);) {
		const QJsonObject request = QJsonDocument::fromJson(QByteArray::fromStdString(line)).object();
		const QJsonObject answer = request.contains("create") ? create(request["create"].toObject())
			: request.contains("tick") ? tick(request["tick"].toString())
			: read(request["read"].toString());
		std::cout << QJsonDocument(answer).toJson(QJsonDocument::Compact).constData() << std::endl;
	}
}
