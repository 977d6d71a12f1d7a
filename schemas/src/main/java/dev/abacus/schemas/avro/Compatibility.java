package dev.abacus.schemas.avro;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.Incompatibility;

/** Allowed changes of the schema of a subject, with the names and meanings of Confluent. */
public enum Compatibility {
  /** Any change. */
  NONE(false, false, false),
  /** Readers with the new schema can read data of the version before. */
  BACKWARD(true, false, false),
  /** Readers with the new schema can read data of all versions before. */
  BACKWARD_TRANSITIVE(true, false, true),
  /** Readers with the version before can read data of the new schema. */
  FORWARD(false, true, false),
  /** Readers with any version before can read data of the new schema. */
  FORWARD_TRANSITIVE(false, true, true),
  /** Backward and forward. */
  FULL(true, true, false),
  /** Backward and forward, against all versions before. */
  FULL_TRANSITIVE(true, true, true);

  private final boolean canRead;
  private final boolean canBeRead;
  private final boolean transitive;

  Compatibility(boolean canRead, boolean canBeRead, boolean transitive) {
    this.canRead = canRead;
    this.canBeRead = canBeRead;
    this.transitive = transitive;
  }

  /**
   * Why {@code candidate} may not follow the given versions.
   *
   * @param newestFirst the versions so far, the newest first
   * @return empty if it may
   */
  public Optional<String> violation(Schema candidate, List<Schema> newestFirst) {
    List<Incompatibility> found = new ArrayList<>();
    int compared = transitive ? newestFirst.size() : Math.min(1, newestFirst.size());
    for (Schema other : newestFirst.subList(0, compared)) {
      if (canRead) {
        found.addAll(incompatibilities(candidate, other));
      }
      if (canBeRead) {
        found.addAll(incompatibilities(other, candidate));
      }
    }
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(
            found.stream().map(Compatibility::describe).distinct().collect(joining("; ")));
  }

  private static List<Incompatibility> incompatibilities(Schema reader, Schema writer) {
    return SchemaCompatibility.checkReaderWriterCompatibility(reader, writer)
        .getResult()
        .getIncompatibilities();
  }

  private static String describe(Incompatibility incompatibility) {
    return "%s at %s (%s)"
        .formatted(
            incompatibility.getType(), incompatibility.getLocation(), incompatibility.getMessage());
  }
}
