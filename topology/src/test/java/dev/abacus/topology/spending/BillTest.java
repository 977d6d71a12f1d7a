package dev.abacus.topology.spending;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.BillRecord;
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class BillTest {

  private static final CallPurpose LIVE = new CallPurpose("p", "read", CallPurpose.Kind.LIVE);

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-25T10:59:00Z"));
  private final Bill bill = new Bill(ModelCatalogue.builtIn(), "me", now::get);

  private void call(CallPurpose purpose, double usd) {
    ScopedValue.where(CallPurpose.CURRENT, purpose)
        .run(() ->
            bill.ended(
                "gpt-4o",
                new ModelAnswer.Success(
                    "", new ExecutionStats(usd, 1, 1, TokenCounts.of(100, 0, 10)), List.of())));
  }

  @Test
  void callsOfOneKindAreOneLine() {
    call(LIVE, 0.1);
    call(LIVE, 0.2);
    call(LIVE.as(CallPurpose.Kind.JUDGE), 0.4);

    BillRecord record = bill.take().getFirst();

    assertThat(record.usd()).isEqualTo(0.7);
    assertThat(record.lines())
        .extracting(BillRecord.Line::purpose, BillRecord.Line::calls, BillRecord.Line::nanoUsd)
        .containsExactlyInAnyOrder(
            tuple("live", 2L, 300_000_000L), tuple("judge", 1L, 400_000_000L));
    assertThat(bill.take()).as("nothing changed").isEmpty();
  }

  /** One fifth of the input was cached: prices of the card are those of OpenAI. */
  @Test
  void whatACallSavesIsDividedAmongCacheAndTier() {
    TokenCounts tokens = TokenCounts.of(1_000_000, 200_000, 0);
    ModelCard standard = ModelCatalogue.builtIn().get("gpt-5-nano");
    ModelCard flex = ModelCatalogue.builtIn().get("gpt-5-nano@flex");
    call("gpt-5-nano", tokens, standard.cost(tokens));
    call("gpt-5-nano@flex", tokens, flex.cost(tokens, "flex"));
    call("gpt-5-nano@flex", tokens, flex.cost(tokens, "default"));

    assertThat(bill.take().getFirst().lines())
        .extracting(
            BillRecord.Line::model,
            BillRecord.Line::nanoUsd,
            BillRecord.Line::cacheSavedNanoUsd,
            BillRecord.Line::tierSavedNanoUsd)
        .containsExactlyInAnyOrder(
            tuple("gpt-5-nano", 41_000_000L, 9_000_000L, 0L),
            // The second call was answered at the standard tier.
            tuple("gpt-5-nano@flex", 20_500_000L + 41_000_000L, 18_000_000L, 20_500_000L));
  }

  private void call(String model, TokenCounts tokens, double usd) {
    ScopedValue.where(CallPurpose.CURRENT, LIVE)
        .run(() ->
            bill.ended(
                model,
                new ModelAnswer.Success("", new ExecutionStats(usd, 1, 1, tokens), List.of())));
  }

  @Test
  void aNewHourIsANewRecordAndTheLastOneIsWritten() {
    call(LIVE, 0.1);
    now.updateAndGet(time -> time.plus(Duration.ofMinutes(2)));
    call(LIVE, 0.2);

    List<BillRecord> records = bill.take();

    assertThat(records).extracting(BillRecord::usd).containsExactly(0.1, 0.2);
    assertThat(records.get(1).hour()).isEqualTo(records.get(0).hour() + 1);
    assertThat(records.get(1).key()).isNotEqualTo(records.get(0).key());
  }

  @Test
  void aProgramThatStartsAgainKeepsWhatItSpentInTheHour() {
    AtomicReference<Bill.Totals> totals = new AtomicReference<>(new Bill.Totals(0, 0, 0, 0));
    bill.opened("p", totals::get);
    totals.set(new Bill.Totals(10, 8, 0.5, 0));
    call(LIVE, 0.1);
    bill.forget("p");
    assertThat(bill.take()).extracting(BillRecord::documents).containsExactly(10L);

    AtomicReference<Bill.Totals> again = new AtomicReference<>(new Bill.Totals(0, 0, 0, 0));
    bill.opened("p", again::get);
    again.set(new Bill.Totals(3, 2, 0, 0));
    call(LIVE, 0.2);

    BillRecord record = bill.take().getFirst();
    assertThat(record.lines().getFirst().nanoUsd()).isEqualTo(300_000_000L);
    assertThat(record.documents()).isEqualTo(13);
    assertThat(record.storeSavedNanoUsd()).isEqualTo(500_000_000L);
  }

  @Test
  void aRecordThatIsNotWrittenIsWrittenLater() {
    call(LIVE, 0.1);
    bill.giveBack(bill.take().getFirst());
    assertThat(bill.take()).extracting(BillRecord::usd).containsExactly(0.1);

    call(LIVE, 0.2);
    BillRecord lost = bill.take().getFirst();
    now.updateAndGet(time -> time.plus(Duration.ofHours(1)));
    call(LIVE, 0.4);
    bill.giveBack(lost);
    assertThat(bill.take()).extracting(BillRecord::usd).contains(lost.usd(), 0.4);
  }

  @Test
  void callsWithoutAProgramAreInNoBill() {
    call(new CallPurpose("", "read", CallPurpose.Kind.LIVE), 0.1);
    assertThat(bill.take()).isEmpty();
  }

  @Test
  void aProgramWithoutCallsThatStartsAgainKeepsWhatItDidInTheHour() {
    AtomicReference<Bill.Totals> totals = new AtomicReference<>(new Bill.Totals(0, 0, 0, 0));
    bill.opened("q", totals::get);
    totals.set(new Bill.Totals(10, 8, 0, 0));
    bill.forget("q");
    assertThat(bill.take()).extracting(BillRecord::documents).containsExactly(10L);

    AtomicReference<Bill.Totals> again = new AtomicReference<>(new Bill.Totals(0, 0, 0, 0));
    bill.opened("q", again::get);
    again.set(new Bill.Totals(3, 2, 0, 0));
    assertThat(bill.take()).extracting(BillRecord::documents).containsExactly(13L);
  }

  /** A record replaces the one of its hour; a clock may be corrected right after the hour. */
  @Test
  void anHourThatTheClockReturnsToKeepsItsCalls() {
    call(LIVE, 0.1);
    now.updateAndGet(time -> time.plus(Duration.ofMinutes(2)));
    call(LIVE, 0.2);
    now.updateAndGet(time -> time.minus(Duration.ofMinutes(2)));
    call(LIVE, 0.4);
    now.updateAndGet(time -> time.plus(Duration.ofMinutes(2)));
    call(LIVE, 0.8);

    Map<String, Double> newest = new HashMap<>();
    bill.take().forEach(record -> newest.put(new String(record.key(), UTF_8), record.usd()));
    assertThat(newest.values().stream().mapToDouble(Double::doubleValue).sum())
        .isEqualTo(1.5, within(1e-9));
  }
}
