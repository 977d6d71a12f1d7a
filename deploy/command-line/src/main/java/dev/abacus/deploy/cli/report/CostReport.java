package dev.abacus.deploy.cli.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.control.BillRecord;
import dev.abacus.schemas.control.BillRecord.Line;
import dev.abacus.schemas.kafka.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a program spent in some hours: the output of {@code abacus cost}. */
public final class CostReport {

  private static final double NANO = 1e9;

  private final String program;
  private final Instant since;
  private final Instant until;
  private final List<BillRecord> all;
  private final List<BillRecord> records;
  private final List<Line> lines;

  /**
   * A report.
   *
   * @param all records of the program
   * @param since start of the first hour
   * @param until the present time
   */
  public CostReport(String program, Collection<BillRecord> all, Instant since, Instant until) {
    this.program = program;
    this.since = since;
    this.until = until;
    this.all = List.copyOf(all);
    long first = hour(since);
    this.records = all.stream().filter(record -> record.hour() >= first).toList();
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

  private static long hour(Instant time) {
    return Math.floorDiv(time.toEpochMilli(), Duration.ofHours(1).toMillis());
  }

  private static double usd(Collection<BillRecord> some) {
    return some.stream().flatMap(record -> record.lines().stream()).mapToLong(Line::nanoUsd).sum()
        / NANO;
  }

  private long sum(ToLongFunction<BillRecord> amount) {
    return records.stream().mapToLong(amount).sum();
  }

  private double ofPurpose(String purpose) {
    return lines.stream()
            .filter(line -> line.purpose().equals(purpose))
            .mapToLong(Line::nanoUsd)
            .sum()
        / NANO;
  }

  /** USD of documents by result; null without results. */
  private @Nullable Double perResult() {
    long results = sum(BillRecord::results);
    return results == 0 ? null : Double.valueOf(ofPurpose("live") / results);
  }

  /** USD per hour since the first hour with a record. */
  private double rate() {
    long first = records.stream().mapToLong(BillRecord::hour).min().orElse(hour(until));
    Instant start = Instant.ofEpochSecond(first * 3600);
    double hours =
        Duration.between(start.isBefore(since) ? since : start, until).toMillis() / 3.6e6;
    return hours <= 0 ? 0 : usd(records) / hours;
  }

  private Instant month(int later) {
    return YearMonth.from(until.atZone(ZoneOffset.UTC))
        .plusMonths(later)
        .atDay(1)
        .atStartOfDay(ZoneOffset.UTC)
        .toInstant();
  }

  private double ofMonth() {
    long first = hour(month(0));
    return usd(all.stream().filter(record -> record.hour() >= first).toList());
  }

  private double forecast() {
    return ofMonth() + rate() * Duration.between(until, month(1)).toMillis() / 3.6e6;
  }

  /** All figures. */
  public ObjectNode json() {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("program", program)
            .put("since", since.toString())
            .put("until", until.toString())
            .put("usd", usd(records));
    ObjectNode purposes = json.putObject("purposes");
    purposes().forEach(purposes::put);
    json.put("documents", sum(BillRecord::documents));
    json.put("results", sum(BillRecord::results));
    json.put("usdPerResult", perResult());
    json.putObject("saved")
        .put("promptCacheUsd", cacheSaved())
        .put("answerStoreUsd", sum(BillRecord::storeSavedNanoUsd) / NANO)
        .put("receiptsUsd", sum(BillRecord::receiptsSavedNanoUsd) / NANO);
    json.putObject("month")
        .put("usd", ofMonth())
        .put("usdPerHour", rate())
        .put("forecastUsd", forecast());
    var list = json.putArray("lines");
    for (Line line : lines) {
      ObjectNode node =
          list.addObject()
              .put("operator", line.operator())
              .put("model", line.model())
              .put("purpose", line.purpose())
              .put("calls", line.calls())
              .put("usd", line.nanoUsd() / NANO)
              .put("promptCacheSavedUsd", line.cacheSavedNanoUsd() / NANO);
      node.set("tokens", Json.tree(line.tokens()));
    }
    return json;
  }

  private Map<String, Double> purposes() {
    return lines.stream()
        .map(Line::purpose)
        .distinct()
        .sorted()
        .collect(
            Collectors.toMap(purpose -> purpose, this::ofPurpose, (one, _) -> one, TreeMap::new));
  }

  private double cacheSaved() {
    return lines.stream().mapToLong(Line::cacheSavedNanoUsd).sum() / NANO;
  }

  /** One row for each operator, model and purpose, below a header. */
  public List<String> csv() {
    List<String> rows = new ArrayList<>();
    rows.add(
        "operator,model,purpose,calls,input_tokens,cached_tokens,output_tokens,reasoning_tokens,usd,prompt_cache_saved_usd");
    for (Line line : lines) {
      rows.add(
          String.format(
              Locale.ROOT,
              "%s,%s,%s,%d,%d,%d,%d,%d,%.9f,%.9f",
              line.operator(),
              line.model(),
              line.purpose(),
              line.calls(),
              line.tokens().input(),
              line.tokens().cachedInput(),
              line.tokens().output(),
              line.tokens().reasoning(),
              line.nanoUsd() / NANO,
              line.cacheSavedNanoUsd() / NANO));
    }
    return rows;
  }

  /** A table and a few lines. */
  public List<String> lines() {
    List<String> text = new ArrayList<>();
    text.add("%s, %s since %s".formatted(program, Amounts.usd(usd(records)), since));
    if (lines.isEmpty()) {
      text.add("no call was made in this time");
      return text;
    }
    Table table =
        new Table(
            "operator",
            "model",
            "purpose",
            "calls",
            "input",
            "cached",
            "output",
            "reasoning",
            "cost");
    for (Line line : lines) {
      table.row(
          line.operator(),
          line.model(),
          line.purpose(),
          line.calls(),
          line.tokens().input(),
          line.tokens().cachedInput(),
          line.tokens().output(),
          line.tokens().reasoning(),
          Amounts.usd(line.nanoUsd() / NANO));
    }
    text.addAll(table.lines());
    text.add(
        purposes().entrySet().stream()
            .map(purpose -> purpose.getKey() + " " + Amounts.usd(purpose.getValue()))
            .collect(Collectors.joining(", ")));
    Double each = perResult();
    text.add(
        "%,d documents, %,d results%s"
            .formatted(
                sum(BillRecord::documents),
                sum(BillRecord::results),
                each == null ? "" : ", " + Amounts.usd(each) + " per result"));
    text.add(
        "saved: prompt caches %s, answer store %s, receipts %s"
            .formatted(
                Amounts.usd(cacheSaved()),
                Amounts.usd(sum(BillRecord::storeSavedNanoUsd) / NANO),
                Amounts.usd(sum(BillRecord::receiptsSavedNanoUsd) / NANO)));
    text.add(
        "this month: %s; %s at the present rate of %s per hour"
            .formatted(Amounts.usd(ofMonth()), Amounts.usd(forecast()), Amounts.usd(rate())));
    return text;
  }
}
