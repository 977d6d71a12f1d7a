package dev.abacus.optimizer.page.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.page.chart.TimeChart;
import dev.abacus.optimizer.page.records.Cluster;
import dev.abacus.optimizer.page.records.Cluster.DeadLetterGroup;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.records.ClusterFixture;
import dev.abacus.schemas.control.BillRecord;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.LearningReport;
import dev.abacus.schemas.control.RoundReason;
import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Program;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the pages of a program say of the records of the topics. */
class ProgramViewsTest {

  private final ClusterFixture cluster = ClusterFixture.running();

  private Cluster snapshot() {
    return cluster.fold().snapshot();
  }

  private ProgramRecords records() {
    return Objects.requireNonNull(snapshot().programs().get(ClusterFixture.NAME));
  }

  private PlansView plans() {
    return PlansView.of(records(), Map.of(), cluster.now());
  }

  private ProgramHead head() {
    return ProgramHead.of(records(), cluster.now());
  }

  private void objective(String text) {
    cluster.write(new ControlRecord.ObjectiveSet(ClusterFixture.NAME, ObjectiveParser.parse(text)));
  }

  @Test
  void thePromiseOfThePlanIsTheSameOnEveryPage() {
    assertThat(ProgramsView.of(snapshot()).lines())
        .singleElement()
        .satisfies(line -> {
          assertThat(line.quality()).isEqualTo("0.801");
          assertThat(line.cost()).isEqualTo("$0.0019");
        });
    OverviewView.Promise quality = OverviewView.of(records()).promises().getFirst();
    assertThat(quality.promised() + " " + quality.interval()).isEqualTo("0.801 (0.752 to 0.846)");
    PhysicalPlan plan = plans().history().getFirst().plan();
    assertThat(Figures.planned(plan, plan.choice(), Dimension.QUALITY)).isEqualTo("0.801");
    assertThat(plans().choices())
        .filteredOn(PlansView.Choice::chosen)
        .extracting(choice -> Figures.planned(plan, choice.plan(), Dimension.QUALITY))
        .containsExactly("0.801");
    assertThat(Objects.requireNonNull(plans().whatIf()).answer())
        .isEqualTo(
            "The active plan stays: quality 0.801, $0.0019 and 3.5 s per document; holds (97 %,"
                + " needs 90 %): cost <= 0.002.");
  }

  @Test
  void theCostIsThatOfTheBillByOperatorModelTierAndPurpose() {
    assertThat(records().bill(cluster.now()).lines())
        .extracting(
            BillRecord.Line::operator,
            BillRecord.Line::model,
            BillRecord.Line::purpose,
            line -> Figures.usd(line.usd()))
        .containsExactly(
            tuple("draft", "gpt-5-nano@flex", "live", "$0.90"),
            tuple("draft", "o4-mini", "judge", "$0.25"));
  }

  @Test
  void whatDocumentsTaughtIsSaidAsTheStatusCommandSaysIt() throws Exception {
    assertThat(OverviewView.of(records()).learning())
        .containsExactly(
            "learnt nothing from documents: the program, as applied, says neither 'learning' nor"
                + " 'minimize cost'");
    Program program = records().program();
    Program learning = program.withSettings(program.settings().withLearning(Learning.DEFAULT));
    cluster.write(new ControlRecord.ProgramSet(learning));
    assertThat(OverviewView.of(records()).learning())
        .containsExactly("learnt nothing from documents: no answers yet");
    LearningReport report =
        new LearningReport(
            "classify", 0.95, 1200, 0.31, true, 40, new Range(0.975, 0.91, 0.99), null);
    List<LearningReport> reports =
        List.of(
            report,
            new LearningReport("is-problem", 0.95, 90, 0, false, 0, null, null),
            new LearningReport(
                "draft", 0.95, 90, 0, false, 0, null, "quality >= 0.8 might not hold"));
    JsonNode search = Json.tree(Map.of("program", ClusterFixture.NAME, "learning", reports));
    cluster.status(ClusterFixture.NAME + "/optimizer", Json.write(search));
    assertThat(OverviewView.of(records()).learning())
        .containsExactly(
            "learnt of 'classify' from 1,200 answers: 31.0 % of the documents without a call, which"
                + " the promised cost does not count;"
                + " 40 audits agree for 0.975 (0.910 to 0.990), the target is 0.950",
            "learnt of 'is-problem' from 90 answers: no classifier answers, as none is shown to"
                + " agree for 0.950; 0.0 % of the documents without a call",
            "learnt of 'draft' from 90 answers: no classifier answers, as quality >= 0.8 might not"
                + " hold; 0.0 % of the documents without a call");
  }

  @Test
  void everyTabSaysTheSameOfABound() {
    String word = "✓ holds (97 %, needs 90 %)";
    OverviewView overview = OverviewView.of(records());

    assertThat(overview.standing()).isEqualTo(word + ": cost <= 0.002");
    assertThat(overview.promises())
        .extracting(OverviewView.Promise::verdict)
        .containsExactly("", word, "");
    assertThat(Figures.standing(plans().choices().getFirst().standing())).isEqualTo(word);
    assertThat(Figures.standing(plans().history().getFirst().plan().standing())).isEqualTo(word);
  }

  @Test
  void aBoundOfTheObjectiveInForceIsMissedBeforeThePlanIsDecidedAnew() {
    objective("maximize quality subject to cost <= 0.0001");

    assertThat(OverviewView.of(records()).promises())
        .extracting(OverviewView.Promise::verdict)
        .containsExactly("", "✗ misses (< 1 %, needs 90 %)", "");
  }

  @Test
  void theActivePlanIsFirstAndPlansThatLookBetterSayWhyNot() {
    assertThat(plans().choices().getFirst().chosen()).isTrue();
    assertThat(plans().choices().get(1).reason())
        .isEqualTo("seems better; cost <= 0.002 holds with < 1 %, needs 90 %");
    assertThat(plans().choices()).filteredOn(choice -> !choice.reason().isEmpty()).hasSize(2);
  }

  @Test
  void boundsThatNoPlanOfTheFrontierMeetsAreToldAsSuch() {
    objective("minimize cost subject to quality >= 0.99");

    WhatIf whatIf = Objects.requireNonNull(plans().whatIf());
    assertThat(whatIf.answer()).isEqualTo("Every plan of the frontier misses these bounds.");
    assertThat(whatIf.best()).isNull();
    assertThat(whatIf.sliders())
        .extracting(WhatIf.Slider::name)
        .containsExactly("quality", "latency");
  }

  @Test
  void withoutAReportOfTheLastMinuteThereIsNoWorker() {
    cluster.passes(Duration.ofMinutes(2));

    assertThat(head().state()).isEqualTo("no worker");
    assertThat(records().instances()).isEmpty();
  }

  @Test
  void thePauseOfTheGovernorIsShownWithItsReason() {
    cluster.write(
        new ControlRecord.Paused(
            ClusterFixture.NAME, true, "$5.00 of $5.00 are spent", ControlRecord.GOVERNOR));

    assertThat(head().state()).isEqualTo("paused");
    assertThat(head().problems()).contains("Paused by governor: $5.00 of $5.00 are spent");
  }

  @Test
  void aCostWithTooManyZerosIsPerMillionDocuments() {
    assertThat(Figures.amount(Dimension.COST, 7.84e-9)).isEqualTo("$0.00784 per million");
    assertThat(Figures.amount(Dimension.COST, 1e-6)).isEqualTo("$0.000001");
    assertThat(Figures.amount(Dimension.COST, 0)).isEqualTo("$0");
  }

  @Test
  void deadLettersOfOneReasonAreALineWithTheJourneyOfTheLast() {
    List<DeadLetterGroup> letters = records().deadLetters();

    assertThat(letters)
        .extracting(DeadLetterGroup::reason)
        .contains("131072 tokens of gpt-4.1-nano are too few for 140212");
    assertThat(letters)
        .extracting(DeadLetterGroup::count, DeadLetterGroup::operator)
        .containsExactly(tuple(2L, "draft"), tuple(1L, "classify"));
    LetterView letter =
        Objects.requireNonNull(LetterView.of(records(), letters.getFirst().last().id(), Map.of()));
    assertThat(letter.replayed()).isNull();
    Journey journey = Objects.requireNonNull(Journeys.recorded(records(), letter.journey()));
    assertThat(Journeys.name(journey)).isEqualTo("m-93");
    assertThat(Journeys.ofDocument(records(), journey).getFirst().steps().getLast().reason())
        .isEqualTo("no valid answer in 3 attempts: missing field 'reply'");
    assertThat(Journeys.recorded(records(), "0-99")).isNull();
  }

  @Test
  void theLastTwoHoursAreSmallChartsWithThePromise() {
    // Half as many again are filtered.
    cluster.works(Duration.ofSeconds(60), 60);
    cluster.works(Duration.ofSeconds(60), 120);

    Histories histories = OverviewView.of(records()).histories();

    assertThat(histories.charts())
        .extracting(TimeChart::title)
        .containsExactly(
            "Documents per minute",
            "Cost per document",
            "Quality, as judged",
            "Spent per hour, with samples");
    assertThat(histories.charts().getFirst().latest()).isEqualTo("360");
    assertThat(histories.charts().get(1).promise()).isNotNull();
    assertThat(histories.charts().get(1).most())
        .isEqualTo(OverviewView.of(records()).promises().get(1).promised());
    assertThat(histories.charts()).extracting(TimeChart::known).containsOnly(true);

    cluster.passes(Duration.ofHours(3));
    assertThat(OverviewView.of(records()).histories().since()).isEmpty();
  }

  /** Epoch 1 was never measured on held-back examples. */
  @Test
  void anEstimateIsNotCalledAPromise() {
    assertThat(OverviewView.of(records()).promised()).isTrue();
    cluster.write(new ControlRecord.Activated(ClusterFixture.NAME, 1, 1, "back", "user", null));
    assertThat(OverviewView.of(records()).promised()).isFalse();
  }

  @Test
  void theStartPageHasTotals() {
    assertThat(ProgramsView.of(snapshot()).totals())
        .extracting(OverviewView.Tile::label)
        .containsExactly("Finished", "Waiting", "Spent", "Dead letters");
  }

  @Test
  void changesNameWhoMadeThemAndWhy() {
    String drift = RoundReason.drift(1, "latency per document is 2 s, not 1 s", "classify=m");
    cluster.write(new ControlRecord.Reoptimize(ClusterFixture.NAME, drift));

    assertThat(records().changes())
        .extracting(Cluster.Change::by, change -> change.record().describe())
        .contains(
            tuple("user", "applied the program"),
            tuple(
                "governor",
                "asked for a new round of samples, because latency per document is 2 s, not 1 s"));
  }

  @Test
  void anImplementationIsIdleAfterManySamplesOfOthers() {
    cluster.observes("classify", "gpt-4.1", 20);

    SamplesView.Race race =
        SamplesView.of(records()).races().stream()
            .filter(each -> each.operator().equals("classify"))
            .findFirst()
            .orElseThrow();
    assertThat(race.arms())
        .extracting(arm -> arm.samples().physical(), SamplesView.Arm::state)
        .contains(
            tuple("model-selection(gpt-4.1-mini)", "chosen"),
            tuple("model-selection(gpt-4.1)", ""),
            tuple("model-selection(gpt-4o)", "idle"));
  }

  @Test
  void theRateOfAnOperatorIsUnknownBeforeTheSecondReport() {
    ClusterFixture fresh = new ClusterFixture();
    fresh.write(new ControlRecord.ProgramSet(fresh.program()));

    OverviewView overview =
        OverviewView.of(
            Objects.requireNonNull(fresh.fold().snapshot().programs().get(ClusterFixture.NAME)));

    assertThat(overview.promises()).isEmpty();
    assertThat(overview.tiles().getFirst().value()).isEqualTo(Figures.UNKNOWN);
    assertThat(overview.graph().rows())
        .extracting(row -> row.work().in())
        .containsOnly(Figures.UNKNOWN);
  }
}
