package dev.abacus.schemas.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.program.io.ProgramWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every operator of the language, and how a program is taken apart into stages. */
class StagesTest {

  private static final String EVERYTHING =
      """
      program: triage
      sources:
        messages: { topic: support.messages }
        calls: { topic: support.calls }
      references:
        intents: { topic: support.intents, key: label, embed: [title] }
        policies: { topic: policies, format: avro }
      operators:
        - filter: is-problem
          input: messages
          condition: [Something went wrong., The customer is angry.]
          reads: [text]
        - topk: candidates
          from: intents
          query: [text]
          k: auto
          writes: candidate_intents
        - map: split
          instruction: List the questions.
          reads: [text]
          writes: { question: string }
          cardinality: many
        - join: policy
          with: policies
          condition: The policy answers the question.
          reads: [question]
          kind: left
          collect: policies
        - join: called
          with: calls
          within: 10m
          on: customer
          fanout: 2.5
        - aggregate: daily
          by: [customer]
          window: { hopping: 24h, advance: 1h, grace: 5m }
          instruction: Summarise.
          reads: [text]
          writes: { summary: { type: string } }
          compute: { messages: count, mean: avg(urgency) }
          late: drop
          fanout: 0.05
        - map: title
          instruction: Give the summary a title.
          writes: { title: string }
        - limit: 1000
          window: 1h
          fanout: 0.5
      results: { topic: out }
      """;

  private static Program parse(String text) throws InvalidTextException {
    return new ProgramParser(ModelCatalogue.builtIn()).parse(text);
  }

  @Test
  void everyOperatorIsReadBackAsItWasWritten() throws Exception {
    Program program = parse(EVERYTHING);

    assertThat(parse(ProgramWriter.write(program).toString())).isEqualTo(program);
    for (LogicalOperator operator : program.operators()) {
      assertThat(ProgramWriter.readOperator(ProgramWriter.write(operator).toString()))
          .isEqualTo(operator);
    }
  }

  @Test
  void whatSeesSeveralDocumentsBreaksTheSegments() throws Exception {
    assertThat(Stages.of(parse(EVERYTHING)))
        .extracting(Stage::id, Stage::inputs, stage -> ids(stage.operators()))
        .containsExactly(
            row("calls", List.of("calls")),
            row("policy", List.of("messages"), "is-problem", "candidates", "split", "policy"),
            row("called", List.of("policy", "calls"), "called"),
            row("daily", List.of("called"), "daily"),
            row("title", List.of("daily"), "title"),
            row("limit", List.of("title"), "limit"),
            row("results", List.of("limit")));
  }

  @Test
  void branchesOfOneDocumentThatAreMergedAreOneSegment() throws Exception {
    Program program =
        parse(
            """
            program: mmqa
            sources: { questions: { topic: questions } }
            references: { texts: { topic: texts }, images: { topic: images } }
            operators:
              - map: text-query
                input: questions
                instruction: What to look for in texts?
                reads: [question]
                writes: { text_query: string }
              - join: with-texts
                with: texts
                condition: The text helps.
                reads: [text_query]
                kind: left
                collect: texts
              - map: image-query
                input: questions
                instruction: What to look for in images?
                reads: [question]
                writes: { image_query: string }
              - join: with-images
                with: images
                condition: The image helps.
                reads: [image_query]
                kind: left
                collect: images
              - join: together
                input: with-texts
                with: with-images
              - map: answer
                instruction: Answer.
                writes: { answer: string }
            results: { topic: out }
            """);

    assertThat(Stages.of(program))
        .extracting(Stage::id, Stage::inputs, stage -> ids(stage.operators()))
        .containsExactly(
            row(
                "answer",
                List.of("questions"),
                "text-query",
                "with-texts",
                "image-query",
                "with-images",
                "together",
                "answer"));
  }

  @Test
  void aJoinOfBranchesTakesNoFieldToJoinOn() {
    assertThatThrownBy(() ->
            parse(
                """
                program: branches
                sources: { docs: { topic: docs } }
                operators:
                  - map: a
                    instruction: A.
                    writes: { a: string }
                  - map: b
                    input: docs
                    instruction: B.
                    writes: { b: string }
                  - join: both
                    input: a
                    with: b
                    on: author
                results: { topic: out }
                """))
        .isInstanceOf(InvalidTextException.class)
        .hasMessageContaining("leave 'on' out");
  }

  @Test
  void aSourceThatGoesTwoWaysIsEnteredOnce() throws Exception {
    Program program =
        parse(
            """
            program: two-ways
            sources: { docs: { topic: docs } }
            operators:
              - filter: good
                input: docs
                condition: It is good.
              - filter: bad
                input: docs
                condition: It is bad.
              - join: both
                input: good
                with: bad
                within: 1m
                on: author
            results: { topic: out }
            """);

    assertThat(Stages.of(program))
        .extracting(Stage::id, Stage::inputs, stage -> ids(stage.operators()))
        .containsExactly(
            row("docs", List.of("docs")),
            row("good", List.of("docs"), "good"),
            row("bad", List.of("docs"), "bad"),
            row("both", List.of("good", "bad"), "both"),
            row("results", List.of("both")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          from: intents            | from: intnts           | unknown reference 'intnts'; did you mean 'intents'?
          from: intents            | from: calls            | 'calls' is a source; joining it needs 'within'
          with: policies           | with: polices          | unknown reference 'polices'; did you mean 'policies'?
          input: messages          | input: mesages         | unknown source or earlier operator 'mesages'; did you mean 'messages'?
          within: 10m              | within: 10x            | '10x' is not a length of time
          within: 10m              | into: x                | a join with the source 'calls' needs 'within'
          k: auto                  | k: 0                   | must be at least 1
          avg(urgency)             | average(urgency)       | is not a computation
          avg(urgency)             | avg                    | avg needs a field
          advance: 1h              | advance: 48h           | must not exceed
          hopping: 24h, advance: 1h | tumbling: 1h, session: 1h | exactly one of
          late: drop               | late: dorp             | did you mean 'drop'?
          cardinality: many        | cardinality: some      | unknown cardinality 'some'
          - limit: 1000            | - limit: 0             | must be at least 1
          fanout: 2.5              | fanout: 0              | 'fanout' of 'called' must be above 0
          fanout: 2.5              | fanout: many           | expected a number
          fanout: 0.5              | fanout: 1.5            | 'fanout' of 'limit' must be above 0 and at most 1
          input: messages          | input: calls           | no operator takes the source 'messages'
          """)
  void aMistakeIsNamed(String right, String wrong, String message) {
    assertThat(EVERYTHING).contains(right);
    assertThatThrownBy(() -> parse(EVERYTHING.replace(right, wrong)))
        .isInstanceOf(InvalidTextException.class)
        .hasMessageContaining(message);
  }

  @Test
  void anOutputThatNobodyTakesIsRefused() {
    assertThatThrownBy(() ->
            parse(
                EVERYTHING.replace(
                    "- topk: candidates", "- topk: candidates\n    input: messages")))
        .isInstanceOf(InvalidTextException.class)
        .hasMessageContaining("the output of 'is-problem' goes nowhere");
  }

  private static List<String> ids(List<LogicalOperator> operators) {
    return operators.stream().map(LogicalOperator::id).toList();
  }

  private static org.assertj.core.groups.Tuple row(
      String id, List<String> inputs, String... operators) {
    return org.assertj.core.groups.Tuple.tuple(id, inputs, List.of(operators));
  }
}
