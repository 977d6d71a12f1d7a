package dev.abacus.schemas.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.program.io.ProgramWriter;
import dev.abacus.schemas.program.io.SettingsReader;
import dev.abacus.schemas.program.io.YamlNode;
import dev.abacus.schemas.value.RecordValues;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the values of the control topic: JSON, or Avro in Confluent's wire format.
 * Reading is strict, because users write these records by hand.
 */
public final class ControlCodec {

  /** Stands for the topic; the schema comes from the value. */
  private static final String TOPIC = "control";

  private final ModelCatalogue catalogue;
  private final ProgramParser programs;
  private final RecordValues values;
  private final boolean fewShot;

  public ControlCodec(ModelCatalogue catalogue, RecordValues values) {
    this(catalogue, values, true);
  }

  /**
   * A codec of a process that may keep labelled examples out of prompts and plans.
   *
   * @param fewShot false to read every program with {@code validation: { fewShot: false }}
   */
  public ControlCodec(ModelCatalogue catalogue, RecordValues values, boolean fewShot) {
    this.catalogue = catalogue;
    this.programs = new ProgramParser(catalogue);
    this.values = values;
    this.fewShot = fewShot;
  }

  /** Whether the catalogue has a model. */
  public boolean knowsModel(String name) {
    return catalogue.find(name) != null;
  }

  /**
   * Reads a record.
   *
   * @return null for a tombstone
   * @throws InvalidControlException if the record is invalid
   * @throws SerializationException if the schema registry cannot be reached; the record may be
   *     valid
   */
  public @Nullable ControlRecord decode(ControlKey key, byte @Nullable [] value)
      throws InvalidControlException {
    if (value == null) {
      return null;
    }
    try {
      String text =
          RecordValues.isRegistered(value)
              ? values.registered(TOPIC, Program.Format.AVRO, value).toString()
              : new String(value, StandardCharsets.UTF_8);
      return decode(key, text);
    } catch (InvalidDocumentException
        | InvalidTextException
        | MalformedRecordException
        | IllegalArgumentException e) {
      throw new InvalidControlException(String.valueOf(e.getMessage()), e);
    }
  }

  private ControlRecord decode(ControlKey key, String text)
      throws InvalidTextException, MalformedRecordException, InvalidControlException {
    return switch (key) {
      case ControlKey.ProgramKey program -> program(program, text);
      case ControlKey.PlanKey plan -> plan(plan, text);
      case ControlKey.PinKey pin ->
          new ControlRecord.Pinned(
              pin.program(),
              pin.operator(),
              Json.read(text.getBytes(StandardCharsets.UTF_8), PhysicalOperator.class));
      case ControlKey.ObjectiveKey _ -> setting(text, root -> objective(key.program(), root));
      case ControlKey.BudgetKey _ -> setting(text, root -> budget(key.program(), root));
      case ControlKey.PausedKey _ -> setting(text, root -> paused(key.program(), root));
      case ControlKey.ReoptimizeKey _ ->
          setting(text, root -> new ControlRecord.Reoptimize(key.program(), root.scalar()));
      case ControlKey.ActiveKey _ -> setting(text, root -> activated(key.program(), root));
    };
  }

  private static ControlRecord setting(
      String text, Function<YamlNode, @Nullable ControlRecord> reader) throws InvalidTextException {
    YamlNode root = YamlNode.parse(text);
    return root.finish(reader.apply(root));
  }

  private ControlRecord program(ControlKey.ProgramKey key, String text)
      throws InvalidTextException, InvalidControlException {
    Program program = programs.parse(text);
    if (!program.name().equals(key.program())) {
      throw new InvalidControlException(
          "the key says program '%s', the value '%s'".formatted(key.program(), program.name()));
    }
    return new ControlRecord.ProgramSet(fewShot ? program : program.withFewShot(false));
  }

  private static ControlRecord plan(ControlKey.PlanKey key, String text)
      throws MalformedRecordException, InvalidControlException {
    PhysicalPlan plan = Json.read(text.getBytes(StandardCharsets.UTF_8), PhysicalPlan.class);
    ControlRecord record = new ControlRecord.PlanPublished(plan);
    if (!record.key().equals(key)) {
      throw new InvalidControlException(
          "the key says '%s', the value '%s'".formatted(key.path(), record.key().path()));
    }
    return record;
  }

  private static @Nullable ControlRecord objective(String program, YamlNode root) {
    var objective = SettingsReader.objective(root);
    return objective == null ? null : new ControlRecord.ObjectiveSet(program, objective);
  }

  private static ControlRecord budget(String program, YamlNode root) {
    var budget = SettingsReader.budget(root);
    var spending = root.optional("spending", SettingsReader::spending);
    root.endMapping();
    return new ControlRecord.BudgetSet(program, budget, spending);
  }

  private static ControlRecord paused(String program, YamlNode root) {
    if (!root.isMapping()) {
      return new ControlRecord.Paused(program, root.bool());
    }
    Boolean paused = root.required("paused", YamlNode::bool);
    String reason = root.text("reason", "");
    String by = root.text("by", ControlRecord.USER);
    root.refuseOtherKeys();
    return new ControlRecord.Paused(program, Boolean.TRUE.equals(paused), reason, by);
  }

  /** A boolean, or an object if there is a reason or an author. */
  private static Object write(ControlRecord.Paused paused) {
    return paused.reason().isEmpty() && paused.by().equals(ControlRecord.USER)
        ? paused.paused()
        : Map.of("paused", paused.paused(), "reason", paused.reason(), "by", paused.by());
  }

  /** Its fields besides the program, which is in the key. */
  private static ObjectNode write(ControlRecord.Activated activated) {
    ObjectNode fields = (ObjectNode) Json.tree(activated);
    return activated.beside() == null
        ? fields.without(List.of("program", "beside"))
        : fields.without(List.of("program"));
  }

  private static @Nullable ControlRecord activated(String program, YamlNode root) {
    Long epoch = root.required("epoch", YamlNode::whole);
    double share = root.optional("share", YamlNode::real, 1.0);
    String reason = root.text("reason", "");
    String by = root.text("by", ControlRecord.USER);
    Long beside = root.optional("beside", YamlNode::whole);
    root.endMapping();
    return root.build(
        epoch, active -> new ControlRecord.Activated(program, active, share, reason, by, beside));
  }

  /** The JSON value of a record. */
  public static byte[] encode(ControlRecord record) {
    return Json.write(
        switch (record) {
          case ControlRecord.ProgramSet set -> set.program();
          case ControlRecord.ObjectiveSet set -> set.objective();
          case ControlRecord.BudgetSet set -> ProgramWriter.write(set.budget(), set.spending());
          case ControlRecord.Pinned pinned -> pinned.physical();
          case ControlRecord.Paused paused -> write(paused);
          case ControlRecord.Reoptimize reoptimize -> reoptimize.token();
          case ControlRecord.PlanPublished published -> published.plan();
          case ControlRecord.Activated activated -> write(activated);
        });
  }
}
