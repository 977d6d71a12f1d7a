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
  NONE,
  /** Readers with the new schema can read data of the version before. */
  BACKWARD,
  /** Readers with the new schema can read data of all versions before. */
  BACKWARD_TRANSITIVE,
  /** Readers with the version before can read data of the new schema. */
  FORWARD,
  /** Readers with any version before can read data of the new schema. */
  FORWARD_TRANSITIVE,
  /** Backward and forward. */
  FULL,
  /** Backward and forward, against all versions before. */
  FULL_TRANSITIVE;

  /**
   * Why {@code candidate} may not follow the given versions.
   *
   * @param newestFirst the versions so far, the newest first
   * @return empty if it may
   */
  public Optional<String> violation(Schema candidate, List<Schema> newestFirst) {
    return switch (this) {
      case NONE -> Optional.empty();
      case BACKWARD -> violation(candidate, latest(newestFirst), true, false);
      case BACKWARD_TRANSITIVE -> violation(candidate, newestFirst, true, false);
      case FORWARD -> violation(candidate, latest(newestFirst), false, true);
      case FORWARD_TRANSITIVE -> violation(candidate, newestFirst, false, true);
      case FULL -> violation(candidate, latest(newestFirst), true, true);
      case FULL_TRANSITIVE -> violation(candidate, newestFirst, true, true);
    };
  }

  private static List<Schema> latest(List<Schema> newestFirst) {
    return newestFirst.subList(0, Math.min(1, newestFirst.size()));
  }

  private static Optional<String> violation(
      Schema candidate, List<Schema> others, boolean canRead, boolean canBeRead) {
    List<Incompatibility> found = new ArrayList<>();
    for (Schema other : others) {
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
