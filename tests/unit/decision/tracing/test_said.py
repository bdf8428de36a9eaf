"""A figure was said if one of its readings was, whatever its form; a date can follow from when it was said."""

from __future__ import annotations

import time
from datetime import date

import pytest

from app.decision.tracing.figures import read_figures
from app.decision.tracing.said import SaidFigures, Statement, add_months

MONDAY = date(2026, 11, 23)


def is_known(said: str, drafted: str, day: date | None = MONDAY) -> bool:
    index = SaidFigures.of([Statement(said, day)])
    figures = [each for each in read_figures(drafted) if each.is_stated]
    assert figures
    return all(map(index.knows, figures))


SAME = [
    ("about 15k", "15,000 euro"), ("15.000", "15000"), ("1.5 M", "1,500,000 euro"), ("12", "12 %"), ("50", "50 kEUR"),
    ("50k", "50 kEUR a year"), ("50 kEUR", "50"), ("a week", "7 days"), ("three days", "3 working days"),
    ("10-12 weeks", "10 to 12 weeks"), ("half a year", "6 months"), ("fourteen people", "14 agents"),
    ("3/14", "March 14"), ("14 March", "14.3."), ("14 March", "2027-03-14"), ("1 March 2027", "in 2027"),
    ("by 1 March", "in March"), ("2027-03-14", "Q1 2027"), ("Q3", "Q3 2027"), ("Q3 2027", "by Q3"),
    ("9:30 am", "09:30"), ("by Friday", "on Friday"), ("2026-11-27", "on Friday"), ("3 November", "3 Nov 2026"),
    ("2027-03-14", "the 14th"), ("8:00-18:00", "from 8:00 to 18:00"), ("the 14th", "14"), ("March 2027", "by March"),
    ("Q3 2027", "Q3 2027"), ("live before q4 2027", "before Q4 2027"), ("ends Q3 28", "Q3 2028"),
    ("mid feb", "mid February"), ("by mid feb", "2027-02-15"), ("in Q1 30 people leave", "30 people"),
    ("in Q1 30 people leave", "Q1 2027"),
    ("half a developer", "0.5"), ("half", "50 %"), ("two hundred thousand", "200k"), ("10 grand", "10k"),
    ("forty to fifty thousand", "40k–50k"), ("a year and a half", "18 months"), ("a fortnight", "2 weeks"),
    ("we open at 8", "8:00"), ("at 8, sharp", "8 pm"), ("from nine to five", "9 am to 5 pm"),
    ("8 to 6 pm", "8:00–18:00"),
    ("8 bis 18 Uhr", "8:00–18:00"), ("half past nine", "21:30"), ("quarter to five", "16:45"), ("at noon", "12:00"),
    ("we open at 8.30", "8:30"), ("from 8.30am", "8:30"), ("ab 17.30 Uhr", "17:30"), ("ten past nine", "21:10"),
    ("02/2027", "February 2027"), ("2027-02", "in February 2027"), ("the third quarter of 2027", "Q3 2027"),
    ("the 1st quarter", "Q1"), ("a third of the team", "33 %"), ("two thirds of them", "66.7 %"),
    ("three quarters of the users", "75 %"), ("2/3 of users", "67 %"), ("67 %", "two thirds of the users"),
    ("1 hour 30 minutes", "90 minutes"), ("90 minutes", "1 hour and 30 minutes"), ("1 week 2 days", "9 days"),
    ("three quarters of an hour", "45 minutes"), ("2 1/2 years", "30 months"), ("2 ½ years", "30 months"),
    ("we meet twice a week", "2"), ("hundred thousand", "100k"), ("1.2 mil", "1,200,000"),
    ("20 tops", "20 %"), ("12 of them", "12 %"), ("45 people, or 45", "45 %"),
    ("in drei Wochen", "3 Wochen"), ("zwei Jahre", "24 months"), ("zwanzig Leute", "20 people"),
    ("2 Millionen Euro", "€2 million"), ("fünfzig tausend", "50k"), ("10 Prozent", "10 %"),
    ("3k a month", "3,000 per month"), ("3k", "3k a month"), ("3k a month", "3k"), ("40 €/h", "40 euros an hour"),
    ("£3k, or 3k a year", "£3k a year"),
    ("3k a month, 3k a year", "3k a year"), ("$300", "300 dollars"), ("300 bucks", "€300"), ("300 euro", "300 €"),
    ("800 monatlich", "800 pro Monat"), ("800 yearly", "800 every year"), ("€300", "300 a week"),
    ("50k per annum", "50k p.a."), ("900 CHF im Quartal", "900 Franken je Quartal"), ("9 daily", "9 every day"),
    ("mon-fri 10-18, Sat 10-13", "Monday to Friday 10:00 to 18:00, Saturday 10:00–13:00"),
    ("nine to five", "9 am to 5 pm"),
    ("9 to 5, wed closed", "closed on Wednesdays"), ("Do 14-20.30, Mi zu", "Thursday 2 pm to 8:30 pm, not Mittwoch"),
    ("8:00–17:30", "from 8 to 17.30"), ("Q3/27 go-live", "Q3 2027"), ("3 mo", "3 months"),
    ("in einer Woche", "one week"), ("ein halbes Jahr", "6 months"), ("im 2. Quartal", "Q2"), ("3,5 Std", "3.5 hours"),
    ("dreißig Prozent", "30 %"), ("fünfzehn, siebzig oder hundert", "15, 70 or 100 people"), ("viermal", "4 times"),
    ("die Hälfte der Leute, ein Drittel davon", "50 % and 33 %"), ("zwei Drittel der Leute", "67 %"),
    ("ein Viertel von uns, oder drei Viertel der anderen", "25 % or 75 %"), ("ein Dutzend", "12 people"),
    ("a sensitivity of 0.92", "92 %"), ("0,5", "50 %"),
    ("before midnight", "24:00"), ("at midnight", "0:00"), ("H1 2027", "Q2 2027"), ("week 50", "50"),
]  # fmt: skip
OTHER = [
    ("60k hole", "15k"), ("15k", "15"), ("we have 15", "15k"), ("12 weeks", "12 %"), ("2 days", "2 weeks"),
    ("14 March", "15 March"), ("14 March", "2031-03-14"), ("March", "2027-03-14"), ("in 2027", "in 2028"),
    ("14 March", "in 2031"), ("by Friday", "on Thursday"), ("Q3", "Q2"), ("Q3 2027", "Q3 2028"), ("9:30", "9:45"),
    ("Q3 27", "Q3 2028"), ("in Q3 27 we move", "Q3 2028"), ("end of feb", "2027-02-15"),
    ("at 8 people", "8:00"), ("8 people", "8 pm"), ("2 of them", "200 %"), ("0.92 mg", "9.2 %"),
    ("10-18", "17:00"), ("8-18", "8:30"),
    ("do come, so it sat in the sun", "by Thursday"), ("9:30 am", "9:30 pm"), ("quarter to five", "16:15"),
    ("at 25", "1:00"), ("30 Uhr", "6:00"), ("at 8.5", "8:30"), ("H1 2027", "Q3 2027"), ("two thousand", "2 million"),
    ("45 people", "45 %"), ("12 of our 45 customers", "45 %"),
    ("at 8.30", "8:45"), ("at 8.75", "8:15"), ("ten to nine people", "8:50"), ("13/2027", "March 2027"),
    ("It costs 4. Quarter by quarter", "Q4"),
    ("02/2027", "March 2027"), ("the third quarter of 2027", "Q3 2028"), ("the third quarter", "75 %"),
    ("a third option", "33 %"), ("a third of them", "30 %"), ("2/3 came", "67 %"), ("2/3 of them", "66 people"),
    ("1 hour, 30 people", "90 minutes"), ("30 minutes, 1 hour", "90 minutes"), ("1 hour 90 minutes", "150 minutes"),
    ("3k a month", "3k a year"), ("40 €/h", "40 euros a day"), ("300 euro", "$300"), ("£300", "300 CHF"),
    ("3k monthly", "3k a year"), ("3k annually", "3k/month"), ("2 days a week", "2 days a month"),
    ("300 EUR or 300 USD", "300 CHF"), ("900 Franken je Monat", "900 CHF pro Jahr"), ("900 Franken", "900 €"),
    ("50k per annum", "50k a month"), ("900 weekly", "900 a month"), ("900 quarterly", "900 a year"),
    ("3k, that is 3k a year", "3k a month"), ("£300, so 300", "300 EUR"), ("38k. It is 38k a year", "£38k a month"),
    ("90 täglich", "90 im Monat"), ("90 wöchentlich", "90 täglich"), ("90 daily", "90 weekly"),
    ("a quarter of a million", "25 %"), ("2 1/2 years", "2 January"),
    ("soon", "2027-03-14"), ("11 %", "12 %"), ("15,100", "15k"), ("March", "in April"),
]  # fmt: skip
FOLLOWS = [
    ("tomorrow", "2026-11-24"), ("the day after tomorrow", "2026-11-25"), ("in two weeks", "2026-12-07"),
    ("in three months", "2027-02-23"), ("by Friday", "2026-11-27"), ("end of March", "2027-03-31"),
    ("by end of january", "2027-01-31"),
    ("in March", "2027-03-01"), ("by the end of the month", "2026-11-30"), ("end of next month", "2026-12-31"),
    ("next week", "2026-12-04"), ("this week", "2026-11-27"), ("end of the year", "2026-12-31"),
    ("Q1", "2027-03-31"), ("Q3 2028", "2028-09-29"), ("next quarter", "2027-03-31"), ("in 2028", "2028-12-31"),
    ("next year", "2027-12-31"), ("tomorrow", "on Tuesday"),
    ("end of march 27", "2027-03-31"), ("by the end of Q3 28", "2028-09-30"), ("end of June '28", "2028-06-30"),
    ("the first half of 2027", "2027-06-30"), ("second half of next year", "2027-07-01"), ("H1", "2027-06-30"),
    ("bis Mitte Dezember", "2026-12-15"), ("Ende Januar", "2027-01-31"), ("before New Year", "2026-12-31"),
    ("before Christmas", "2026-12-24"), ("by New Year’s Eve", "2026-12-31"), ("after New Year", "2027-01-01"),
    ("EOY", "2026-12-31"), ("by month-end", "2026-11-30"), ("quarter end", "2026-12-31"),
    ("in KW 50", "2026-12-07"), ("calendar week 5", "2027-02-05"), ("week 53", "2027-01-03"),
    ("bis Freitag", "2026-11-27"), ("in zwei Wochen", "2026-12-07"), ("in 14 Tagen", "2026-12-07"),
    ("morgen", "2026-11-24"), ("übermorgen", "2026-11-25"), ("bis Ende des Jahres", "2026-12-31"),
    ("zum Monatsende", "2026-11-30"), ("nächste Woche", "2026-12-04"),
    ("the 25th", "2026-11-25"), ("the 5th", "2026-12-05"), ("the 31st", "2026-12-31"),
]  # fmt: skip
NOT = [
    ("the 25th", "2027-01-25"),
    ("week 54", "2027-01-03"),
    ("before Christmas", "2026-12-23"),
    ("a week 50 people", "2026-12-07"),
    ("tomorrow", "2026-11-25"),
    ("Guten Morgen", "2026-11-24"),
    ("by Friday", "2026-12-18"),
    ("in two weeks", "2026-12-08"),
    ("soon", "2026-12-01"),
]


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(("said", "drafted"), SAME)
def test_only_the_form_may_differ(said: str, drafted: str) -> None:
    assert is_known(said, drafted)


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(("said", "drafted"), OTHER)
def test_another_value_is_not_said(said: str, drafted: str) -> None:
    assert not is_known(said, drafted)


@pytest.mark.req("FA-03", "FA-14")
@pytest.mark.parametrize(("said", "drafted"), FOLLOWS)
def test_a_date_follows_from_what_was_said_and_when(said: str, drafted: str) -> None:
    assert is_known(said, drafted)
    names_year = any(year in said for year in ("20", "27", "28"))
    assert names_year or not is_known(said, drafted, date(2021, 6, 15))


@pytest.mark.req("FA-03")
@pytest.mark.parametrize(("said", "drafted"), NOT)
def test_a_date_that_does_not_follow_is_not_said(said: str, drafted: str) -> None:
    assert not is_known(said, drafted)


@pytest.mark.parametrize("said", ["tomorrow", "by Friday", "in two weeks", "Q3", "March"])
def test_without_its_day_a_statement_leads_to_no_date(said: str) -> None:
    assert not is_known(said, "2026-11-27", None)


def test_a_day_without_its_year_leads_to_no_day_of_the_week() -> None:
    assert not is_known("14 March", "on Friday", None)


def test_a_day_that_a_shorter_month_does_not_have_is_its_last() -> None:
    assert add_months(date(2026, 12, 31), 2) == date(2027, 2, 28)
    assert not is_known("in 90000 years, 99999999 weeks, half a day, 0.5 months, in an hour", "2027-02-28")


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Lena starts the test tomorrow and reports in two weeks.", True),
        ("It starts on 25 November and takes 14 days.", True),
        ("It starts on Wednesday, two weeks.", True),
        ("It takes two weeks.", False),
        ("Lena starts tomorrow.", False),
        ("Tomorrow it is 2,000 euro.", False),
    ],
)
def test_a_day_that_lies_so_far_from_a_day_of_the_same_message_follows_from_it(text: str, known: bool) -> None:
    said = SaidFigures.of([Statement(text, date(2026, 11, 24))])
    assert all(said.knows(each) for each in read_figures("9 December 2026")) is known


@pytest.mark.parametrize(
    "text", ["29 February, for two weeks", "From 31 December 9999 for two weeks", "On 29 February"]
)
def test_a_day_that_some_years_lack_or_after_which_there_are_none_is_no_error(text: str) -> None:
    said = SaidFigures.of([Statement(text, date(2026, 11, 24))])
    assert not any(said.knows(each) for each in read_figures("5 May 2026, a Monday"))


def test_two_weeks_after_29_february_are_known_in_the_year_that_has_it() -> None:
    said = SaidFigures.of([Statement("It starts on 29 February 2028 and takes two weeks.", date(2027, 11, 24))])
    assert all(said.knows(each) for each in read_figures("14 March 2028"))


@pytest.mark.req("FA-14")
@pytest.mark.parametrize(
    ("said", "drafted"),
    [
        ("22 yrs of Brandt?? he was here 17", "after 22 years"),
        ("17 years, not 22", "22 years"),
        ("es sind nicht 22 Jahre", "22 years"),
        ("not 14 March but the 18th", "2027-03-14"),
        ("40k?! never", "40k"),
    ],
)
def test_a_figure_that_is_denied_or_disbelieved_is_not_said_by_that(said: str, drafted: str) -> None:
    assert not is_known(said, drafted)
    assert is_known(f"{drafted} it is. Hm. {said}", drafted)


@pytest.mark.parametrize(
    ("said", "drafted"),
    [
        ("why not 20k", "20k"),
        ("if not 20 days, then 30", "20 days"),
        ("not more than 20k", "20k"),
        ("can we do 20k?", "20k"),
        ("Done?? It costs 20k", "20k"),
        ("by 14 March??", "2027-03-14"),
        ("We have 30,000 euros, is that enough??", "30,000 euros"),
        ("warum nicht 20k", "20k"),
    ],
)
def test_a_figure_that_is_proposed_bounded_or_asked_about_is_said(said: str, drafted: str) -> None:
    assert is_known(said, drafted)


@pytest.mark.parametrize("part", ["10?", "1,234,", "50 % of 20k ", "three quarters of ", "2 x 3 at 4 each ", "2/3 of "])
def test_a_long_text_of_many_figures_takes_a_time_in_proportion_to_its_length(part: str) -> None:
    begun = time.process_time()
    SaidFigures.of([Statement(part * (30_000 // len(part)), MONDAY)])
    assert time.process_time() - begun < 6, "seconds of CPU; reading each figure with all others took a minute"
