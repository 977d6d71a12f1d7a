package dev.abacus.topology.version;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The JSON of {@link ProgramVersions}. Offsets are {@code {"topic": {"0": 12}}}. */
public record VersionCodec(ProgramParser programs) {

  private record StateJson(
      long revision,
      VersionJson current,
      boolean stopping,
      List<EndingJson> ending,
      Map<String, Map<Integer, Long>> positions) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record VersionJson(int version, JsonNode program, @Nullable Long epoch) {}

  private record EndingJson(
      VersionJson version, Map<String, Map<Integer, Long>> ends, int tasks, Set<Integer> ended) {}

  /** The value of a record. */
  public static byte[] encode(ProgramVersions versions) {
    return Json.write(
        new StateJson(
            versions.revision(),
            json(versions.current()),
            versions.stopping(),
            versions.ending().stream()
                .map(old ->
                    new EndingJson(json(old.version()), json(old.ends()), old.tasks(), old.ended()))
                .toList(),
            json(versions.positions())));
  }

  private static VersionJson json(ProgramVersions.Version version) {
    return new VersionJson(version.number(), Json.tree(version.program()), version.epoch());
  }

  private static Map<String, Map<Integer, Long>> json(Map<TopicPartition, Long> offsets) {
    Map<String, Map<Integer, Long>> json = new TreeMap<>();
    offsets.forEach((partition, offset) ->
        json.computeIfAbsent(partition.topic(), _ -> new TreeMap<>())
            .put(partition.partition(), offset));
    return json;
  }

  /**
   * Reads the value of a record.
   *
   * @throws MalformedRecordException if it is not what {@link #encode} writes
   */
  public ProgramVersions decode(byte[] value) throws MalformedRecordException {
    StateJson state = Json.read(value, StateJson.class);
    List<ProgramVersions.Ending> ending = new ArrayList<>();
    for (EndingJson old : state.ending()) {
      ending.add(
          new ProgramVersions.Ending(
              version(old.version()), offsets(old.ends()), old.tasks(), old.ended()));
    }
    return new ProgramVersions(
        state.revision(),
        version(state.current()),
        state.stopping(),
        ending,
        offsets(state.positions()));
  }

  private ProgramVersions.Version version(VersionJson json) throws MalformedRecordException {
    try {
      Program program = programs.parse(json.program().toString());
      return new ProgramVersions.Version(json.version(), program, json.epoch());
    } catch (InvalidTextException e) {
      throw new MalformedRecordException(String.valueOf(e.getMessage()), e);
    }
  }

  private static Map<TopicPartition, Long> offsets(Map<String, Map<Integer, Long>> json) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    json.forEach((topic, partitions) ->
        partitions.forEach(
            (partition, offset) -> offsets.put(new TopicPartition(topic, partition), offset)));
    return offsets;
  }
}
