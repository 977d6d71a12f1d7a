package dev.abacus.schemas.program.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.Horizon;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Results;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.Settings.Ordering;
import dev.abacus.schemas.program.Spending;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramParserTest {

  private final ProgramParser parser = new ProgramParser(ModelCatalogue.builtIn());

  @Test
  void everyPartOfAProgramIsRead() throws Exception {
    Program program = parser.parse(triage());

    assertThat(program.name()).isEqualTo("triage");
    assertThat(program.source("messages").topic()).isEqualTo("support.messages");
    assertThat(program.operators())
        .extracting(LogicalOperator::id, LogicalOperator::input)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("classify", "messages"),
            org.assertj.core.groups.Tuple.tuple("is-problem", "classify"),
            org.assertj.core.groups.Tuple.tuple("project", "is-problem"));
    SemanticMap map = (SemanticMap) program.operators().getFirst();
    assertThat(map.writtenFields()).containsExactly("intent", "urgency", "parts", "note");
    assertThat(map.writes().get(1).type()).isEqualTo(new FieldType.IntegerType(1L, 5L));
    assertThat(map.writes().get(3).nullable()).isTrue();
    assertThat(program.results()).isEqualTo(new Results("support.triaged", Format.AVRO));
    assertThat(program.objective().bounds())
        .containsExactly(new Bound(Dimension.COST, 0.002), new Bound(Dimension.LATENCY, 5));
    assertThat(program.sampleBudget()).isEqualTo(new SampleBudget.Invocations(150));
    assertThat(program.spending()).isEqualTo(new Spending(40.0, null, Duration.ofDays(1)));
    assertThat(program.validation().metric("classify.urgency"))
        .isEqualTo(new QualityMetric.Numeric(1));
    assertThat(program.models()).containsExactly("gpt-4o", "gpt-4o-mini");
    assertThat(program.ordering()).isEqualTo(Ordering.NONE);
  }

  @Test
  void aProgramWrittenAsJsonIsReadBackUnchanged() throws Exception {
    Program program = parser.parse(triage());

    assertThat(parser.parse(ProgramWriter.write(program).toString())).isEqualTo(program);
  }

  @Test
  void learningHasDefaultsAndCanBeOff() throws Exception {
    assertThat(parser.parse(triage()).learning()).isNull();
    assertThat(parser.parse(triage() + "learning: off\n").learning()).isNull();
    assertThat(parser.parse(triage() + "learning: { audit: 0.05 }\n").learning())
        .isEqualTo(new Learning(0.05, 0.95));
    Program program = parser.parse(triage() + "learning: { target: 0.9 }\n");
    assertThat(program.learning()).isEqualTo(new Learning(0.02, 0.9));
    assertThat(parser.parse(ProgramWriter.write(program).toString())).isEqualTo(program);
  }

  @Test
  void learningMayBeThatOfOrdersAlone() throws Exception {
    Program program = parser.parse(triage() + "learning: { audit: 0.05, answers: off }\n");
    assertThat(program.learning()).isEqualTo(Learning.ofOrders(0.05));
    assertThat(parser.parse(ProgramWriter.write(program).toString())).isEqualTo(program);
    assertThat(parser.parse(triage() + "learning: { answers: on }\n").learning())
        .isEqualTo(Learning.DEFAULT);
    assertThatThrownBy(() -> parser.parse(triage() + "learning: { target: 0.9, answers: off }\n"))
        .hasMessageContaining("no target");
    assertThatThrownBy(() -> parser.parse(triage() + "learning: { answers: never }\n"))
        .hasMessageContaining("never");
  }

  private static String reviewed(String learning) {
    return """
    program: short
    sources: { docs: { topic: docs } }
    operators:
      - filter: good
        input: docs
        condition: The text is good.
    results: { topic: out }
    validation: { feedback: fixes }
    learning: %s
    """
        .formatted(learning);
  }

  @Test
  void aReviewAloneDoesNotLearnFromAnswers() throws Exception {
    Program program = parser.parse(reviewed("{ review: 20 }"));
    assertThat(program.learning()).isNull();
    assertThat(program.review()).isEqualTo(20);
    assertThat(parser.parse(ProgramWriter.write(program).toString())).isEqualTo(program);

    Program both = parser.parse(reviewed("{ audit: 0.05, answers: off, review: 3 }"));
    assertThat(both.learning()).isEqualTo(Learning.ofOrders(0.05).withReview(3));
    assertThat(parser.parse(ProgramWriter.write(both).toString())).isEqualTo(both);
    assertThat(parser.parse(reviewed("{ review: off }")).settings().learning())
        .isEqualTo(Learning.OFF);
    assertThat(parser.parse(reviewed("{ audit: 0.05 }")).review()).isZero();
  }

  @Test
  void aReviewNeedsATopicForTheAnswersAndDocumentsOfTheirOwn() {
    assertThatThrownBy(() ->
            parser.parse(
                reviewed("{ review: 20 }").replace("validation: { feedback: fixes }\n", "")))
        .hasMessageContaining("add validation: { feedback: TOPIC }");
    assertThatThrownBy(() ->
            parser.parse(
                reviewed("{ review: 20 }")
                    .replace(
                        "results:",
                        "  - aggregate: groups\n    by: [city]\n    window: { tumbling: 1h }\n"
                            + "    compute: { n: count }\nresults:")))
        .hasMessageContaining("'groups', which are not one per document");
    for (String wrong : List.of("0", "1001", "2.5", "-1")) {
      assertThatThrownBy(() -> parser.parse(reviewed("{ review: " + wrong + " }")))
          .hasMessageContaining("a whole number in [1, 1000], or off");
    }
  }

  @Test
  void aProgramThatIsToBeCheapLearnsUnasked() throws Exception {
    String cheapest = triage(ObjectiveParser.parse("minimize cost subject to quality >= 0.8"));
    Program cheap = parser.parse(cheapest);
    assertThat(cheap.learnsUnasked()).isTrue();
    assertThat(cheap.learning()).isEqualTo(Learning.DEFAULT);
    assertThat(parser.parse(ProgramWriter.write(cheap).toString())).isEqualTo(cheap);
    for (String said : List.of("off", "{ review: off }", "{ shadow: 0.01 }")) {
      Program other = parser.parse(cheapest + "learning: " + said + "\n");
      assertThat(other.learning()).as(said).isNull();
      assertThat(parser.parse(ProgramWriter.write(other).toString())).isEqualTo(other);
    }
    String free =
        reviewed("off")
            .replace("learning: off", "objective: minimize cost")
            .replace("condition: The text is good.", "where: doc.text != ''");
    assertThat(parser.parse(free).learning()).isNull();
  }

  /** The topic of live answers is made with the program. */
  @Test
  void anotherObjectiveEndsLearningAndDoesNotBeginIt() throws Exception {
    Objective cheapest = ObjectiveParser.parse("minimize cost");
    Program good = parser.parse(triage());
    assertThat(good.withObjective(cheapest).learning()).isNull();
    Program cheap = parser.parse(triage(cheapest));
    assertThat(cheap.withObjective(Objective.MAXIMIZE_QUALITY).learning()).isNull();
    assertThat(cheap.withObjective(cheapest)).isEqualTo(cheap);
  }

  @Test
  void documentsBesideThePlanDoNotSwitchLearningOn() throws Exception {
    assertThat(parser.parse(triage()).shadow()).isZero();
    Program alone = parser.parse(triage() + "learning: { shadow: 0.01 }\n");
    assertThat(alone.shadow()).isEqualTo(0.01);
    assertThat(alone.learning()).isNull();
    assertThat(parser.parse(ProgramWriter.write(alone).toString())).isEqualTo(alone);
    Program both = parser.parse(triage() + "learning: { audit: 0.05, shadow: 0.005 }\n");
    assertThat(both.shadow()).isEqualTo(0.005);
    assertThat(both.learning()).isEqualTo(new Learning(0.05, 0.95).withShadow(0.005));
    assertThat(parser.parse(ProgramWriter.write(both).toString())).isEqualTo(both);
  }

  @Test
  void theShareBesideThePlanIsSmallAndSpeltRight() {
    assertThatThrownBy(() -> parser.parse(triage() + "learning: { shadow: 0 }\n"))
        .hasMessageContaining("learning.shadow")
        .hasMessageContaining("(0, 0.1]");
    assertThatThrownBy(() -> parser.parse(triage() + "learning: { shadow: 0.2 }\n"))
        .hasMessageContaining("(0, 0.1]");
    assertThatThrownBy(() -> parser.parse(triage() + "learning: { shadows: 0.01 }\n"))
        .hasMessageContaining("shadow");
  }

  @Test
  void noDocumentsRunBesideAPlanForGroups() {
    String program =
        """
        program: daily
        sources: { messages: { topic: messages } }
        operators:
          - map: classify
            instruction: What is it about?
            reads: [text]
            writes: { intent: { type: string } }
          - aggregate: summary
            by: [intent]
            window: { tumbling: 24h }
            compute: { messages: count }
        results: { topic: counted }
        learning: { shadow: 0.01 }
        """;
    assertThatThrownBy(() -> parser.parse(program))
        .hasMessageContaining("'summary' is about several documents at once");
  }

  /** A model sees the documents of a group under this name, so another value would be lost. */
  @ParameterizedTest
  @ValueSource(strings = {"by: [members]", "compute: { members: count }"})
  void noFieldOfAGroupIsNamedAsTheListOfItsDocuments(String field) throws Exception {
    String program =
        """
        program: daily
        sources: { messages: { topic: messages } }
        operators:
          - aggregate: summary
            %s
            window: { tumbling: 24h }
            instruction: What are they about?
            writes: { text: { type: string } }
        results: { topic: summaries }
        """;
    assertThatThrownBy(() -> parser.parse(program.formatted(field)))
        .hasMessageContaining("operators[0]")
        .hasMessageContaining("'members'");
    parser.parse(program.formatted(field.replace("members", "people")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tumbling: 5                | is not a length of time
          hopping: 5, advance: 1h    | is not a length of time
          hopping: 1h, advance: 5    | is not a length of time
          hopping: 1h                | is missing
          session: 1h, tumbling: 1h  | name exactly one of tumbling, hopping or session
          grace: 1h                  | name exactly one of tumbling, hopping or session
          """)
  void aMistakeInAWindowHasOneMessage(String window, String message) {
    String program =
        """
        program: daily
        sources: { messages: { topic: messages } }
        operators:
          - aggregate: summary
            by: [intent]
            window: { %s }
            compute: { messages: count }
        results: { topic: counted }
        """;
    assertThatThrownBy(() -> parser.parse(program.formatted(window)))
        .isInstanceOfSatisfying(
            InvalidTextException.class,
            e ->
                assertThat(e.problems())
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.message()).contains(message)));
  }

  @Test
  void whatIsLeftOutTakesItsDefault() throws Exception {
    Program program =
        parser.parse(
            """
            program: short
            sources: { docs: { topic: docs } }
            operators:
              - filter: good
                condition: It is good.
            results: { topic: out }
            """);

    assertThat(program.objective()).hasToString("maximize quality");
    assertThat(program.sampleBudget()).isEqualTo(new SampleBudget.Invocations(50));
    assertThat(program.validation().topic()).isEqualTo("short.validation");
    assertThat(program.judge()).isEqualTo("o4-mini");
    assertThat(program.ordering()).isEqualTo(Ordering.KEY);
    assertThat(program.operators().getFirst().reads()).isEmpty();
  }

  /** Replaces one piece of the valid program and expects one problem at the right line. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          filter: is-problem          | fliter: is-problem       | 13 | unknown operator 'fliter'; did you mean 'filter'?
          instruction: Decide         | instructions: Decide     | 6  | unknown key 'instructions'; did you mean 'instruction'?
          type: integer, minimum      | type: integr, minimum    | 10 | unknown type 'integr'; did you mean 'integer'?
          urgency: { type: integer    | urgency: { typ: integer  | 10 | unknown key 'typ'; did you mean 'type'?
          format: avro                | format: avr              | 17 | unknown format 'avr'; did you mean 'avro'?
          format: avro                | format: file             | 17 | results have 'format: json' or 'format: avro'
          [gpt-4o, gpt-4o-mini]       | [gpt-4o, gpt-4o-min]     | 21 | unknown model 'gpt-4o-min'; did you mean 'gpt-4o-mini'?
          classify.urgency            | classify.urgncy          | 20 | unknown operator or field 'classify.urgncy'; did you mean 'classify.urgency'?
          samples: 150                | samples: 0               | 19 | it must be above 0
          samples: 150                | samples: many            | 19 | expected a number, found 'many'
          maximize: quality           | maximize: cost           | 18 | makes no sense
          latency: 5s                 | quality: 0.5             | 18 | the objective bounds its own target
          ordering: none              | ordering: none\\nx: 1    | 24 | unknown key 'x'
          filter: is-problem          | filter: classify         | 13 | a second operator has the id 'classify'
          filter: is-problem          | filter: messages         | 13 | a source has the name 'messages' as well
          map: classify               | map: messages            | 5  | a source has the name 'messages' as well
          reads: [text]               | input: is-problem        | 7  | unknown source or earlier operator 'is-problem'; there are messages
          samples: 150                | samples: 99999999999999999999 | 19 | expected a whole number of at most 18 digits
          topic: support.messages     | topic: support messages! | 3  | 'support messages!' is not a name of a topic: Kafka allows
          topic: support.triaged      | topic: ..                | 17 | '..' is not a name of a topic
          topic: triage.validation    | topic: é                 | 20 | 'é' is not a name of a topic
          topic: triage.validation    | feedback: a/b            | 20 | 'a/b' is not a name of a topic
          topic: triage.validation    | feedback: support.triaged | 20 | 'support.triaged' must have no other use
          topic: support.triaged      | topic: support.messages  | 17 | results go to the source topic 'support.messages', so no document
          operators:                  | references: { my items: { topic: items } }\\noperators: | 4 | 'my items' is part of the name of a topic
          messages: { topic           | my messages: { topic     | 3  | 'my messages' is part of the name of a topic
          program: triage             | program: Triage One      | 1  | is not a program name
          program: triage             | program: triage-samples  | 1  | may not end with '-samples'
          numeric(1)                  | numerc(1)                | 20 | is not a metric
          minimum: 1, maximum: 5      | minimum: 9, maximum: 5   | 10 | minimum 9 is above maximum 5
          ordering: none              | ordering: [              | 24 | not well-formed
          ordering: none              | ordering: none: 1        | 23 | needs quotes
          """)
  void aMistakeIsReportedWithItsLineAndTheNearestName(
      String right, String wrong, int line, String message) throws IOException {
    String text = triage().replace(right, wrong.replace("\\n", "\n"));

    assertThatThrownBy(() -> parser.parse(text))
        .isInstanceOfSatisfying(
            InvalidTextException.class,
            e ->
                assertThat(e.problems())
                    .anySatisfy(problem -> {
                      assertThat(problem.message()).contains(message);
                      assertThat(problem.line()).isEqualTo(line);
                    }));
  }

  /** The topics {@code abacus-PROGRAM-v.N-ID-repartition} and {@code PROGRAM.observations}. */
  @ParameterizedTest
  @ValueSource(strings = {"program: triage", "map: classify", "filter: is-problem"})
  void aNameOfAProgramOrOperatorLeavesRoomForTheNamesOfTopics(String named) throws IOException {
    String tooLong = named.replaceFirst(": .*", ": " + "a".repeat(101));

    assertThatThrownBy(() -> parser.parse(triage().replace(named, tooLong)))
        .hasMessageContaining("use at most 100 lower-case letters, digits and hyphens");
  }

  @Test
  void whatStandsTwiceInAListCountsOnce() throws Exception {
    String text =
        triage()
            .replace("reads: [text]", "reads: [text, text]")
            .replace("[refund, other]", "[refund, other, refund]")
            .replace("[id, intent, urgency]", "[id, intent, id, urgency]");

    assertThat(parser.parse(text)).isEqualTo(parser.parse(triage()));
  }

  @Test
  void everyMistakeIsReportedAtOnce() throws IOException {
    String text =
        triage()
            .replace("fields", "x")
            .replace("type: integer", "type: int")
            .replace("format: avro", "form: avro");

    assertThatThrownBy(() -> parser.parse(text))
        .isInstanceOfSatisfying(
            InvalidTextException.class, e -> assertThat(e.problems()).hasSizeGreaterThan(1));
  }

  @Test
  void anOperatorCannotReadAFieldThatAProjectDropped() throws IOException {
    String text =
        triage()
            .replace(
                "results: {",
                "  - filter: late\n    condition: It is late.\n    reads: [urgencyy]\nresults: {");

    assertThatThrownBy(() -> parser.parse(text))
        .isInstanceOf(InvalidTextException.class)
        .hasMessageContaining("unknown field 'urgencyy'; did you mean 'urgency'?");
  }

  @Test
  void examplesMayBeKeptOutOfPrompts() throws Exception {
    String text = filtering("true", "[text]");
    Program without = parser.parse(text + "validation: { fewShot: false }\n");

    assertThat(parser.parse(text).validation().fewShot()).isTrue();
    assertThat(without.validation().fewShot()).isFalse();
    assertThat(parser.parse(ProgramWriter.write(without).toString())).isEqualTo(without);
    assertThatThrownBy(() -> parser.parse(text + "validation: { fewShot: never }\n"))
        .hasMessageContaining("expected true or false, found 'never'")
        .hasMessageContaining("validation.fewShot");
    assertThatThrownBy(() -> parser.parse(text + "validation: { fewshot: false }\n"))
        .hasMessageContaining("did you mean 'fewShot'?");
  }

  @Test
  void aProgramMayAllowServiceTiers() throws Exception {
    String text = filtering("true", "[text]") + "models: [gpt-5-nano]\n";
    Program both = parser.parse(text + "tiers: [standard, flex]\n");

    assertThat(both.tiers()).containsExactly("standard", "flex");
    assertThat(parser.parse(ProgramWriter.write(both).toString())).isEqualTo(both);
    assertThat(parser.parse(text).tiers()).isEmpty();
    assertThatThrownBy(() -> parser.parse(text + "tiers: [felx]\n"))
        .hasMessageContaining("unknown tier 'felx'; did you mean 'flex'?");
    assertThatThrownBy(() -> parser.parse(text + "tiers: [priority]\n"))
        .hasMessageContaining("no model of the program has one of these tiers");
  }

  @Test
  void theJudgeMayReason() throws Exception {
    String text = filtering("true", "[text]");
    Program high = parser.parse(text + "judge: { model: o4-mini, reasoning: high }\n");
    Program steps = parser.parse(text + "judge: { model: gpt-4o, reasoning: steps }\n");

    assertThat(high.judge()).isEqualTo("o4-mini");
    assertThat(high.judgeReasoning()).isEqualTo(Reasoning.HIGH);
    assertThat(steps.judgeReasoning()).isEqualTo(Reasoning.STEPS);
    assertThat(parser.parse(text + "judge: { reasoning: low }\n").judge()).isEqualTo("o4-mini");
    assertThat(parser.parse(text + "judge: gpt-4o\n").judgeReasoning()).isNull();
    assertThat(parser.parse(ProgramWriter.write(high).toString())).isEqualTo(high);
    assertThatThrownBy(() -> parser.parse(text + "judge: { model: gpt-4o, reasoning: high }\n"))
        .hasMessageContaining("'gpt-4o' takes no reasoning effort")
        .hasMessageContaining("judge.reasoning");
    assertThatThrownBy(() -> parser.parse(text + "judge: { reasoning: hard }\n"))
        .hasMessageContaining("unknown reasoning 'hard'");
    assertThatThrownBy(() -> parser.parse(text + "judge: { modle: gpt-4o }\n"))
        .hasMessageContaining("did you mean 'model'?");
  }

  @Test
  void aFilterMayHaveAConditionInCode() throws Exception {
    SemanticFilter filter =
        (SemanticFilter)
            parser
                .parse(filtering("doc.amount > 100 && has(doc.country)", "[text]"))
                .operators()
                .getFirst();

    assertThat(filter.where()).hasToString("doc.amount > 100 && has(doc.country)");
    assertThat(filter.shown()).containsExactly("text");
    assertThat(filter.reads()).containsExactly("amount", "country", "text");
  }

  private static String filtering(String where, String reads) {
    return """
    program: orders
    sources: { docs: { topic: docs } }
    operators:
      - filter: urgent
        condition: The order is urgent.
        where: %s
        reads: %s
    results: { topic: out }
    """
        .formatted(where, reads);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          project:                      | is missing
          project: [""]                 | is empty
          limit: 5, input: ""           | is empty
          filter: a, where: " "         | is empty
          """)
  void aKeyWithoutAValueIsNamed(String operator, String message) {
    String text =
        """
        program: orders
        sources: { docs: { topic: docs } }
        operators: [{ %s }]
        results: { topic: out }
        """
            .formatted(operator);
    assertThatThrownBy(() -> parser.parse(text))
        .isInstanceOf(InvalidTextException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aMistakeInCodeIsReportedWithItsPlaceAndReason() {
    assertThatThrownBy(() -> parser.parse(filtering("doc.amount >", "[text]")))
        .isInstanceOfSatisfying(
            InvalidTextException.class,
            e ->
                assertThat(e.problems())
                    .singleElement()
                    .satisfies(problem -> {
                      assertThat(problem.line()).isEqualTo(6);
                      assertThat(problem.path()).contains("where");
                      assertThat(problem.message()).contains("is not a CEL expression");
                    }));
    assertThatThrownBy(() -> parser.parse(filtering("doc.amount + 1", "[text]")))
        .hasMessageContaining("'doc.amount + 1'");
    assertThatThrownBy(() ->
            parser.parse(
                filtering("doc.amuont > 1", "[amount]")
                    .replace("  - filter", "  - project: [amount, text]\n  - filter")))
        .hasMessageContaining("unknown field 'amuont'; did you mean 'amount'?");
  }

  @Test
  void operatorsAreIndependentUnlessOneReadsOrReplacesWhatTheOtherWrites() {
    List<Field> x = List.of(new Field("x", new FieldType.BooleanType(), "", false));
    LogicalOperator writesX = new SemanticMap("a", "s", "i", List.of("text"), x);
    LogicalOperator readsX = new SemanticFilter("b", "a", "c", List.of("x"));
    LogicalOperator readsAll = new SemanticFilter("c", "a", "c", List.of());
    LogicalOperator readsText = new SemanticFilter("d", "a", "c", List.of("text"));

    assertThat(writesX.isIndependentOf(readsX)).isFalse();
    assertThat(readsX.isIndependentOf(writesX)).isFalse();
    assertThat(writesX.isIndependentOf(readsAll)).isFalse();
    assertThat(writesX.isIndependentOf(writesX)).isFalse();
    assertThat(writesX.isIndependentOf(readsText)).isTrue();
    assertThat(readsAll.isIndependentOf(readsText)).isTrue();
  }

  private static String triage(Objective objective) throws IOException {
    return triage().replaceFirst("(?m)^objective: .*$", "objective: " + objective);
  }

  private static String triage() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ProgramParserTest.class.getResourceAsStream("triage.yaml"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void theJudgeMaySeeExamples() throws Exception {
    String text = filtering("true", "[text]");
    Program three = parser.parse(text + "judge: { examples: 3 }\n");

    assertThat(three.judge()).isEqualTo("o4-mini");
    assertThat(three.judgeExamples()).isEqualTo(3);
    assertThat(three.withFewShot(false).judgeExamples()).isZero();
    assertThat(parser.parse(text).judgeExamples()).isZero();
    assertThat(parser.parse(ProgramWriter.write(three).toString())).isEqualTo(three);
    for (String wrong : List.of("0", "11", "many")) {
      assertThatThrownBy(() -> parser.parse(text + "judge: { examples: %s }\n".formatted(wrong)))
          .hasMessageContaining("judge.examples");
    }
  }

  @Test
  void theHorizonIsATimeOrANumberOfDocuments() throws Exception {
    String text = filtering("true", "[text]");

    assertThat(parser.parse(text).horizon()).isNull();
    assertThat(parser.parse(text + "budget: { horizon: 7d }\n").horizon())
        .isEqualTo(new Horizon(Duration.ofDays(7)));
    Program counted = parser.parse(text + "budget: { usd: 2, horizon: 5_000 }\n");
    assertThat(counted.horizon()).isEqualTo(new Horizon(5000));
    assertThat(counted.withBudget(null, null).horizon()).isEqualTo(new Horizon(5000));
    for (String wrong : List.of("0", "-3", "0d", "soon", "2.5")) {
      assertThatThrownBy(() -> parser.parse(text + "budget: { horizon: %s }\n".formatted(wrong)))
          .hasMessageContaining("budget.horizon");
    }
  }

  @Test
  void anEmbeddingModelAnswersNoPrompts() {
    for (String wrong : List.of("models: [text-embedding-3-small]", "judge: all-minilm-l6-v2")) {
      assertThatThrownBy(() -> parser.parse(filtering("true", "[text]") + wrong + "\n"))
          .isInstanceOf(InvalidTextException.class)
          .hasMessageContaining("embeds texts and answers no prompts");
    }
  }
}
