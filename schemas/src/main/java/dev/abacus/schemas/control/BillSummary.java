package dev.abacus.schemas.control;

import dev.abacus.schemas.control.BillRecord.Line;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a program spent in some hours, and what it will spend in this month. Amounts in USD. */
public final class BillSummary {

  private static final double NANO = 1e9;

  /** The purposes of calls for documents that become results. */
  private static final Set<String> OF_DOCUMENTS = Set.of("live", "audit");

  /**
   * What was not paid, in USD.
   *
   * @param serviceTiers below 0 if tiers were dearer
   */
  public record Saved(
      double promptCaches, double serviceTiers, double answerStore, double receipts) {}

  private final Instant since;
  private final Instant until;
  private final List<BillRecord> all;
  private final List<BillRecord> records;
  private final List<Line> lines;

  /**
   * A summary.
   *
   * @param all records of the program
   * @param since start of the first hour
   * @param until the present time
   */
  public BillSummary(Collection<BillRecord> all, Instant since, Instant until) {
    this.since = since;
    this.until = until;
    this.all = List.copyOf(all);
    this.records = from(since, this.all);
    Map<List<String>, Line> merged = new TreeMap<>(Comparator.comparing(List::toString));
    records.stream()
        .flatMap(record -> record.lines().stream())
        .forEach(line ->
            merged.merge(List.of(line.operator(), line.model(), line.purpose()), line, Line::plus));
    this.lines =
        merged.values().stream()
            .sorted(Comparator.comparingLong(Line::nanoUsd).reversed())
            .toList();
  }

  private static List<BillRecord> from(Instant time, List<BillRecord> some) {
    long first = hour(time);
    return some.stream().filter(record -> record.hour() >= first).toList();
  }

  static long hour(Instant time) {
    return Math.floorDiv(time.toEpochMilli(), Duration.ofHours(1).toMillis());
  }

  private static double usd(Collection<BillRecord> some) {
    return some.stream().flatMap(record -> record.lines().stream()).mapToLong(Line::nanoUsd).sum()
        / NANO;
  }

  private double ofLines(ToLongFunction<Line> amount) {
    return lines.stream().mapToLong(amount).sum() / NANO;
  }

  private long ofRecords(ToLongFunction<BillRecord> amount) {
    return records.stream().mapToLong(amount).sum();
  }

  /** The calls by operator, model at its tier, and purpose, the dearest first. */
  public List<Line> lines() {
    return lines;
  }

  public double usd() {
    return usd(records);
  }

  /** USD by purpose. */
  public Map<String, Double> purposes() {
    return lines.stream()
        .collect(
            Collectors.groupingBy(
                Line::purpose,
                TreeMap::new,
                Collectors.collectingAndThen(
                    Collectors.summingLong(Line::nanoUsd), nano -> nano / NANO)));
  }

  /** Live documents with an end. */
  public long documents() {
    return ofRecords(BillRecord::documents);
  }

  public long results() {
    return ofRecords(BillRecord::results);
  }

  /** USD of documents by result; null without results. */
  public @Nullable Double perResult() {
    return results() == 0 ? null : Double.valueOf(ofDocuments() / results());
  }

  private double ofDocuments() {
    return ofLines(line -> OF_DOCUMENTS.contains(line.purpose()) ? line.nanoUsd() : 0);
  }

  public Saved saved() {
    return new Saved(
        ofLines(Line::cacheSavedNanoUsd),
        ofLines(Line::tierSavedNanoUsd),
        ofRecords(BillRecord::storeSavedNanoUsd) / NANO,
        ofRecords(BillRecord::receiptsSavedNanoUsd) / NANO);
  }

  /** USD of documents per hour since the first hour with a record. */
  public double perHour() {
    long first = records.stream().mapToLong(BillRecord::hour).min().orElse(hour(until));
    Instant start = Instant.ofEpochSecond(first * 3600);
    double hours =
        Duration.between(start.isBefore(since) ? since : start, until).toMillis() / 3.6e6;
    return hours <= 0 ? 0 : ofDocuments() / hours;
  }

  private Instant month(int later) {
    return YearMonth.from(until.atZone(ZoneOffset.UTC))
        .plusMonths(later)
        .atDay(1)
        .atStartOfDay(ZoneOffset.UTC)
        .toInstant();
  }

  /** USD since the first of the month (UTC). */
  public double ofMonth() {
    return usd(from(month(0), all));
  }

  /**
   * USD of the whole month, if documents cost as much per hour for the rest of it. A search, scores
   * and replays count as far as they were paid: they end.
   */
  public double forecast() {
    return ofMonth() + perHour() * Duration.between(until, month(1)).toMillis() / 3.6e6;
  }
}
