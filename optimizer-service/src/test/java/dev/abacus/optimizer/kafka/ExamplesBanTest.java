package dev.abacus.optimizer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.api.SearchSpace;
import dev.abacus.optimizer.governor.GovernorSettings;
import dev.abacus.optimizer.loop.PaperSettings;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.value.RecordValues;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Control records with labelled examples, for programs that keep them out of prompts. */
class ExamplesBanTest {

  private static final KafkaNames NAMES = KafkaNames.UNPREFIXED;
  private static final Program PROGRAM = Given.program(Given.map("intent", "text"));
  private static final PhysicalOperator PLAIN = new ModelSelection("gpt-4o");
  private static final PhysicalOperator SHOWING =
      new FewShot(
          "gpt-4o",
          2,
          List.of(
              new SolvedExample(
                  "e1",
                  Document.empty().with("text", JsonNodeFactory.instance.textNode("t")),
                  JsonNodeFactory.instance.objectNode().put("intent", "x"))));

  /** The control topic and the fold of an optimizer. */
  private static final class World {
    final List<ControlRecord> topic = new ArrayList<>();
    final MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    final boolean fewShot;
    RecordFold fold;
    Outbox outbox;

    World(boolean fewShot) {
      this.fewShot = fewShot;
      this.outbox = new Outbox(producer, NAMES);
      this.fold = open();
      fold.controlRead();
    }

    private RecordFold open() {
      ModelCatalogue catalogue = ModelCatalogue.builtIn();
      KafkaSettings settings =
          new KafkaSettings(
              Map.of(),
              new KafkaSettings.TopicDefaults((short) 1, 1),
              Duration.ofSeconds(10),
              Duration.ofSeconds(10),
              new KafkaSettings.ExampleSettings(0, Duration.ofSeconds(15), fewShot),
              GovernorSettings.DEFAULTS,
              PaperSettings.of(
                  7,
                  6,
                  4,
                  SearchOptions.DEFAULT,
                  program -> SearchSpace.of(program, catalogue).union(),
                  catalogue));
      ControlCodec codec = new ControlCodec(catalogue, RecordValues.WITHOUT_REGISTRY, fewShot);
      outbox.open();
      return new RecordFold(
          settings,
          new RecordDecoder(codec, new ValueReader(RecordValues.WITHOUT_REGISTRY)),
          outbox,
          new RefusedPrograms(),
          Clock.systemUTC());
    }

    World write(ControlRecord record) {
      topic.add(record);
      fold.apply(record(topic.size() - 1));
      return this;
    }

    private ConsumerRecord<byte[], byte[]> record(int offset) {
      ControlRecord record = topic.get(offset);
      return new ConsumerRecord<>(
          NAMES.control(),
          0,
          offset,
          record.key().path().getBytes(java.nio.charset.StandardCharsets.UTF_8),
          ControlCodec.encode(record));
    }

    /** Why the records since the last call were refused. */
    List<String> refusals() {
      outbox.commit();
      List<String> reasons =
          producer.history().stream()
              .filter(sent -> sent.topic().equals(NAMES.rejections()))
              .map(sent -> {
                try {
                  return Json.read(Objects.requireNonNull(sent.value()), Rejection.class).reason();
                } catch (MalformedRecordException e) {
                  throw new AssertionError(e);
                }
              })
              .toList();
      producer.clear();
      return reasons;
    }
  }

  private static ControlRecord plan(long epoch, PhysicalOperator chosen, PhysicalOperator other) {
    return new ControlRecord.PlanPublished(
        new PhysicalPlan(
            PROGRAM.name(),
            epoch,
            choice(chosen),
            PROGRAM.objective(),
            List.of(choice(chosen), choice(other))));
  }

  private static PlanChoice choice(PhysicalOperator physical) {
    return new PlanChoice(
        List.of(new PlanStep(PROGRAM.operators().getFirst(), physical)),
        new Estimate(0.9, 0.001, 1));
  }

  private static ControlRecord activated(long epoch) {
    return new ControlRecord.Activated(PROGRAM.name(), epoch, 1, "by hand", ControlRecord.USER);
  }

  @Test
  void plansAndPinsWithExamplesAreRefusedIfTheProgramKeepsThemOut() {
    World world = new World(true).write(new ControlRecord.ProgramSet(PROGRAM.withFewShot(false)));
    assertThat(world.refusals()).isEmpty();

    world.write(plan(1, SHOWING, PLAIN));
    world.write(plan(2, PLAIN, SHOWING));
    world.write(new ControlRecord.Pinned(PROGRAM.name(), "intent", new FewShot("gpt-4o", 2, null)));
    assertThat(world.refusals())
        .hasSize(3)
        .allMatch(reason -> reason.contains("labelled examples"))
        .allMatch(reason -> reason.contains("validation.fewShot"));

    world.write(plan(3, PLAIN, PLAIN)).write(activated(3));
    assertThat(world.refusals()).isEmpty();
  }

  @Test
  void aSettingRefusesThemForAllPrograms() {
    World world = new World(false).write(new ControlRecord.ProgramSet(PROGRAM));

    world.write(plan(1, SHOWING, PLAIN));
    assertThat(world.refusals()).singleElement().asString().contains("few.shot");
  }

  @Test
  void anEarlierPlanWithExamplesCannotBeActivatedAgain() {
    World world = new World(true).write(new ControlRecord.ProgramSet(PROGRAM));
    world.write(plan(1, SHOWING, PLAIN)).write(activated(1));
    world.write(plan(2, PLAIN, SHOWING)).write(activated(2));
    assertThat(world.refusals()).isEmpty();

    world.write(new ControlRecord.ProgramSet(PROGRAM.withFewShot(false)));
    world.write(activated(1));
    assertThat(world.refusals()).singleElement().asString().contains("labelled examples");

    world.write(activated(2));
    assertThat(world.refusals()).as("its prompts show none").isEmpty();
  }

  @Test
  void withoutABanNothingIsRefused() {
    World world = new World(true).write(new ControlRecord.ProgramSet(PROGRAM));

    world.write(plan(1, SHOWING, PLAIN)).write(activated(1));
    world.write(new ControlRecord.Pinned(PROGRAM.name(), "intent", new FewShot("gpt-4o", 2, null)));

    assertThat(world.refusals()).isEmpty();
  }
}
