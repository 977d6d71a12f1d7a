package dev.abacus.deploy.cli.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.control.BillRecord;
import dev.abacus.schemas.control.BillRecord.Line;
import dev.abacus.schemas.control.BillSummary;
import dev.abacus.schemas.kafka.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a program spent in some hours: the output of {@code abacus cost}. */
public final class CostReport {

  private static final double NANO = 1e9;

  private final String program;
  private final Instant since;
  private final Instant until;
  private final BillSummary bill;

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
    this.bill = new BillSummary(all, since, until);
  }

  /** All figures. */
  public ObjectNode json() {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("program", program)
            .put("since", since.toString())
            .put("until", until.toString())
            .put("usd", bill.usd());
    ObjectNode purposes = json.putObject("purposes");
    bill.purposes().forEach(purposes::put);
    json.put("documents", bill.documents());
    json.put("results", bill.results());
    json.put("usdPerResult", bill.perResult());
    BillSummary.Saved saved = bill.saved();
    json.putObject("saved")
        .put("promptCacheUsd", saved.promptCaches())
        .put("serviceTierUsd", saved.serviceTiers())
        .put("answerStoreUsd", saved.answerStore())
        .put("receiptsUsd", saved.receipts());
    json.putObject("month")
        .put("usd", bill.ofMonth())
        .put("usdPerHour", bill.perHour())
        .put("forecastUsd", bill.forecast());
    var list = json.putArray("lines");
    for (Line line : bill.lines()) {
      ObjectNode node =
          list.addObject()
              .put("operator", line.operator())
              .put("model", ServiceTier.standard(line.model()))
              .put("tier", ServiceTier.textOf(line.model()))
              .put("purpose", line.purpose())
              .put("calls", line.calls())
              .put("usd", line.usd())
              .put("promptCacheSavedUsd", line.cacheSavedNanoUsd() / NANO)
              .put("serviceTierSavedUsd", line.tierSavedNanoUsd() / NANO);
      node.set("tokens", Json.tree(line.tokens()));
    }
    return json;
  }

  /** What table and CSV have in common: operator, model, tier, purpose, calls and tokens. */
  private static List<Object> cells(Line line) {
    return List.of(
        line.operator(),
        ServiceTier.standard(line.model()),
        ServiceTier.textOf(line.model()),
        line.purpose(),
        line.calls(),
        line.tokens().input(),
        line.tokens().cachedInput(),
        line.tokens().output(),
        line.tokens().reasoning());
  }

  /** One row for each operator, model, tier and purpose, below a header. */
  public List<String> csv() {
    List<String> rows = new ArrayList<>();
    rows.add(
        "operator,model,tier,purpose,calls,input_tokens,cached_tokens,output_tokens,reasoning_tokens,usd,prompt_cache_saved_usd,service_tier_saved_usd");
    for (Line line : bill.lines()) {
      rows.add(
          cells(line).stream().map(CostReport::quoted).collect(Collectors.joining(","))
              + String.format(
                  Locale.ROOT,
                  ",%.9f,%.9f,%.9f",
                  line.usd(),
                  line.cacheSavedNanoUsd() / NANO,
                  line.tierSavedNanoUsd() / NANO));
    }
    return rows;
  }

  /** A value of a CSV file (RFC 4180). */
  private static String quoted(Object cell) {
    String text = cell.toString();
    return text.matches("[^,\"\\s]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  /** A table and a few lines. */
  public List<String> lines() {
    List<String> text = new ArrayList<>();
    text.add("%s, %s since %s".formatted(program, Amounts.usd(bill.usd()), since));
    if (bill.lines().isEmpty()) {
      text.add("no call was made in this time");
    } else {
      text.addAll(calls());
    }
    Double each = bill.perResult();
    text.add(
        "%,d documents, %,d results%s"
            .formatted(
                bill.documents(),
                bill.results(),
                each == null ? "" : ", " + Amounts.usd(each) + " per result"));
    BillSummary.Saved saved = bill.saved();
    text.add(
        "saved: prompt caches %s, service tiers %s, answer store %s, receipts %s"
            .formatted(
                Amounts.usd(saved.promptCaches()),
                Amounts.usd(saved.serviceTiers()),
                Amounts.usd(saved.answerStore()),
                Amounts.usd(saved.receipts())));
    text.add(
        "this month: %s; %s if documents go on at %s per hour"
            .formatted(
                Amounts.usd(bill.ofMonth()),
                Amounts.usd(bill.forecast()),
                Amounts.usd(bill.perHour())));
    return text;
  }

  private List<String> calls() {
    Table table =
        new Table(
            "operator",
            "model",
            "tier",
            "purpose",
            "calls",
            "input",
            "cached",
            "output",
            "reasoning",
            "cost");
    for (Line line : bill.lines()) {
      List<Object> row = new ArrayList<>(cells(line));
      row.add(Amounts.usd(line.usd()));
      table.row(row.toArray());
    }
    List<String> text = new ArrayList<>(table.lines());
    text.add(
        bill.purposes().entrySet().stream()
            .map(purpose -> purpose.getKey() + " " + Amounts.usd(purpose.getValue()))
            .collect(Collectors.joining(", ")));
    return text;
  }
}
