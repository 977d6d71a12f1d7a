package dev.abacus.schemas.program.builder;

import static dev.abacus.schemas.program.builder.FieldBuilder.bool;
import static dev.abacus.schemas.program.builder.FieldBuilder.integer;
import static dev.abacus.schemas.program.builder.FieldBuilder.list;
import static dev.abacus.schemas.program.builder.FieldBuilder.number;
import static dev.abacus.schemas.program.builder.FieldBuilder.object;
import static dev.abacus.schemas.program.builder.FieldBuilder.string;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.SortField;
import dev.abacus.schemas.program.Spending;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.TopK;
import dev.abacus.schemas.program.Window;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramArbitraries;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.program.io.ProgramWriter;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ProgramBuilderTest {

  private static final ProgramParser PARSER = new ProgramParser(ModelCatalogue.builtIn());

  @Provide
  Arbitrary<Program> programs() {
    return ProgramArbitraries.programs();
  }

  @Property(seed = "42", tries = 300)
  void anyProgramCanBeBuiltAndSurvivesItsText(@ForAll("programs") Program program)
      throws Exception {
    Program built = rebuilt(program);
    assertThat(built).isEqualTo(program);
    assertThat(PARSER.parse(ProgramWriter.write(built).toString())).isEqualTo(built);
  }

  @Test
  void aDurationWithAPartOfASecondIsRefused() {
    ProgramBuilder program =
        ProgramBuilder.program("p")
            .source("in", "in")
            .filter("keep", filter -> filter.where("doc.a > 1"))
            .results("out")
            .spending(new Spending(1.0, null, Duration.ofMillis(1500)));
    assertThatThrownBy(program::build).hasMessageContaining("'PT1.5S' is not a length of time");
  }

  @Test
  void theProgramIsThatOfTheYaml() throws Exception {
    Program yaml =
        PARSER.parse(
            """
            program: support-triage
            sources:
              messages: { topic: support.messages, format: json, key: id }
            operators:
              - map: classify
                instruction: Decide what the customer wants and how urgent it is.
                reads: [text]
                writes:
                  intent: { type: string, enum: [delivery_delay, damaged_item, other] }
                  urgency: { type: integer, minimum: 1, maximum: 5 }
              - filter: is-problem
                condition: The customer reports that something went wrong.
                reads: [text]
              - project: [id, intent, urgency]
            results: { topic: support.triaged, format: json }
            objective: { maximize: quality, subjectTo: { cost: 0.002 } }
            """);
    assertThat(triage().build()).isEqualTo(yaml);
  }

  private static ProgramBuilder triage() {
    return ProgramBuilder.program("support-triage")
        .source("messages", "support.messages")
        .map(
            "classify",
            map ->
                map.instruction("Decide what the customer wants and how urgent it is.")
                    .reads("text")
                    .writes(
                        string("intent").oneOf("delivery_delay", "damaged_item", "other"),
                        integer("urgency").atLeast(1).atMost(5)))
        .filter(
            "is-problem",
            filter ->
                filter.condition("The customer reports that something went wrong.").reads("text"))
        .project("id", "intent", "urgency")
        .results("support.triaged")
        .objective("maximize quality subject to cost <= 0.002");
  }

  @Test
  void everyMistakeIsReportedInTheWordsOfTheParser() {
    ProgramBuilder builder =
        ProgramBuilder.program("Triage")
            .source("messages", "support.messages")
            .map(
                "classify",
                map ->
                    map.input("mesages")
                        .instruction("Classify.")
                        .writes(string("intent").atLeast(1)))
            .limit(5, limit -> limit.per(Duration.ofMillis(1500)))
            .models("gpt-4p")
            .results("support.triaged");
    String json =
        """
        { "program": "Triage",
          "sources": { "messages": { "topic": "support.messages" } },
          "operators": [
            { "map": "classify", "input": "mesages", "instruction": "Classify.",
              "writes": { "intent": { "type": "string", "minimum": 1 } } },
            { "limit": 5, "window": "PT1.5S" } ],
          "models": ["gpt-4p"],
          "results": { "topic": "support.triaged" } }
        """;
    String[] messages = messagesOf(json);
    assertThat(messages).hasSize(5);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(messages)
        .hasMessageContaining("operators[0].input: ")
        .hasMessageContaining("did you mean")
        .satisfies(thrown -> assertThat(thrown.getMessage()).hasLineCount(5));
  }

  private static String[] messagesOf(String json) {
    try {
      PARSER.parse(json);
      return new String[0];
    } catch (InvalidTextException e) {
      return e.problems().stream()
          .map(InvalidTextException.Problem::message)
          .toArray(String[]::new);
    }
  }

  @Test
  void aSecondFieldOrSourceOfANameIsRefused() {
    assertThatThrownBy(() -> triage().source("messages", "other"))
        .hasMessage("two of the sources have the name 'messages'");
    assertThatThrownBy(() -> object("o", string("a"), integer("a")))
        .hasMessage("two fields have the name 'a'");
  }

  private static Program rebuilt(Program program) {
    ProgramBuilder builder = ProgramBuilder.program(program.name());
    program
        .sources()
        .forEach(source ->
            builder.source(
                source.name(), source.topic(), source.format(), source.key(), source.files()));
    program
        .references()
        .forEach(items ->
            builder.reference(
                items.name(), items.topic(), items.format(), items.key(), array(items.embed())));
    program.operators().forEach(operator -> add(builder, operator));
    builder
        .results(program.results().topic(), program.results().format())
        .objective(program.objective())
        .governor(program.governance())
        .validation(program.validation().topic())
        .fewShot(program.validation().fewShot())
        .models(array(program.models()))
        .tiers(array(program.tiers()))
        .ordering(program.ordering());
    int examples = program.settings().models().judgeExamples();
    if (examples > 0) {
      builder.judge(program.judge(), program.judgeReasoning(), examples);
    } else if (program.judgeReasoning() == null) {
      builder.judge(program.judge());
    } else {
      builder.judge(program.judge(), program.judgeReasoning());
    }
    if (program.validation().feedback() != null) {
      builder.feedback(program.validation().feedback());
    }
    program.validation().metrics().forEach(builder::metric);
    if (program.budget() != null) {
      builder.budget(program.budget());
    }
    if (program.horizon() != null) {
      builder.horizon(program.horizon());
    }
    if (program.spending() != null) {
      builder.spending(program.spending());
    }
    if (program.settings().learning() != null) {
      builder.learning(program.settings().learning());
    }
    return builder.build();
  }

  private static void add(ProgramBuilder builder, LogicalOperator operator) {
    switch (operator) {
      case SemanticMap map ->
          builder.map(
              map.id(),
              it -> {
                it.input(map.input())
                    .instruction(map.instruction())
                    .reads(array(map.reads()))
                    .writes(fields(map.writes()));
                return map.cardinality() == Cardinality.MANY ? it.oneToMany() : it;
              });
      case SemanticFilter filter ->
          builder.filter(
              filter.id(),
              it -> {
                it.input(filter.input()).reads(array(filter.shown()));
                if (filter.isSemantic()) {
                  it.condition(array(filter.conditions()));
                }
                if (filter.fanout() != null) {
                  it.fanout(filter.fanout());
                }
                return filter.where() == null ? it : it.where(filter.where().text());
              });
      case TopK topK ->
          builder.topK(
              topK.id(),
              it -> {
                it.input(topK.input())
                    .from(topK.from())
                    .query(array(topK.query()))
                    .writes(topK.writes());
                return topK.k() == null ? it : it.k(topK.k());
              });
      case SemanticRank rank ->
          builder.rank(
              rank.id(),
              it -> {
                it.input(rank.input())
                    .items(rank.items())
                    .criterion(rank.criterion())
                    .reads(array(rank.shown()))
                    .key(rank.key())
                    .writes(rank.writes());
                return rank.k() == null ? it : it.k(rank.k());
              });
      case EntityResolution resolution ->
          builder.resolve(
              resolution.id(),
              it ->
                  it.input(resolution.input())
                      .with(resolution.with())
                      .condition(resolution.condition())
                      .reads(array(resolution.reads()))
                      .into(resolution.into()));
      case ReferenceJoin join ->
          builder.join(
              join.id(),
              it -> {
                it.input(join.input())
                    .with(join.with())
                    .condition(join.condition())
                    .reads(array(join.seenByModel()));
                if (join.joinKind() == JoinKind.LEFT) {
                  it.left();
                }
                join.pairs().on().forEach(it::on);
                if (join.pairs().where() != null) {
                  it.where(join.pairs().where().text());
                }
                return join.collected() ? it.collect(join.into()) : it.into(join.into());
              });
      case StreamJoin join ->
          builder.join(
              join.id(),
              it -> {
                it.input(join.input())
                    .with(join.with())
                    .within(join.within())
                    .reads(array(join.reads()))
                    .into(join.into());
                if (join.on() != null) {
                  it.on(join.on());
                }
                if (join.condition() != null) {
                  it.condition(join.condition());
                }
                return join.joinKind() == JoinKind.LEFT ? it.left() : it;
              });
      case Merge merge ->
          builder.join(merge.id(), it -> it.input(merge.input()).with(merge.with()));
      case Aggregate aggregate -> builder.aggregate(aggregate.id(), it -> rebuilt(aggregate, it));
      case Limit limit ->
          builder.limit(
              limit.count(),
              it -> {
                it.id(limit.id()).input(limit.input());
                if (limit.isOrdered()) {
                  it.order(limit.order().stream().map(SortField::text).toArray(String[]::new));
                }
                if (limit.grace() != null) {
                  it.grace(limit.grace());
                }
                return limit.window() == null ? it : it.per(limit.window());
              });
      case Project project ->
          builder.project(project.fields(), it -> it.id(project.id()).input(project.input()));
    }
  }

  private static OperatorBuilder.Aggregate rebuilt(
      Aggregate aggregate, OperatorBuilder.Aggregate it) {
    it.input(aggregate.input()).by(array(aggregate.by())).grace(aggregate.window().grace());
    switch (aggregate.window()) {
      case Window.Tumbling window -> it.tumbling(window.size());
      case Window.Hopping window -> it.hopping(window.size(), window.advance());
      case Window.Session window -> it.session(window.gap());
    }
    if (aggregate.instruction() != null) {
      it.instruction(aggregate.instruction())
          .reads(array(aggregate.reads()))
          .writes(fields(aggregate.writes()));
    }
    aggregate.compute().forEach(it::compute);
    return aggregate.late() == Aggregate.LateDocuments.DROP ? it.dropLate() : it;
  }

  private static FieldBuilder[] fields(List<Field> fields) {
    return fields.stream().map(ProgramBuilderTest::field).toArray(FieldBuilder[]::new);
  }

  private static FieldBuilder field(Field field) {
    FieldBuilder builder = typed(field.name(), field.type());
    if (!field.description().isEmpty()) {
      builder.description(field.description());
    }
    return field.nullable() ? builder.nullable() : builder;
  }

  private static FieldBuilder typed(String name, FieldType type) {
    return switch (type) {
      case FieldType.StringType text -> string(name).oneOf(array(text.values()));
      case FieldType.IntegerType(Long least, Long greatest) -> {
        FieldBuilder builder = integer(name);
        if (least != null) {
          builder.atLeast(least);
        }
        yield greatest == null ? builder : builder.atMost(greatest);
      }
      case FieldType.NumberType(Double least, Double greatest) -> {
        FieldBuilder builder = number(name);
        if (least != null) {
          builder.atLeast(least);
        }
        yield greatest == null ? builder : builder.atMost(greatest);
      }
      case FieldType.BooleanType _ -> bool(name);
      case FieldType.ListType(FieldType items) -> list(name, typed("item", items));
      case FieldType.ObjectType(List<Field> properties) -> object(name, fields(properties));
    };
  }

  private static String[] array(List<String> texts) {
    return texts.toArray(String[]::new);
  }
}
