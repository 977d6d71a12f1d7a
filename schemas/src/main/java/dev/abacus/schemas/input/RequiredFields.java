package dev.abacus.schemas.input;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that a record that was read has all its fields. */
public final class RequiredFields {

  private RequiredFields() {}

  /**
   * Returns the path of the first field that is null although its type is not {@link Nullable}, or
   * null if no field is missing. Looks into records, lists and maps.
   */
  public static @Nullable String missing(Object value) {
    return missing(value, "");
  }

  private static @Nullable String missing(Object value, String path) {
    return switch (value) {
      case Record record -> missingIn(record, path);
      case Iterable<?> items when value.getClass().getName().startsWith("java.util") ->
          missingIn(items, path);
      case Map<?, ?> entries -> missingIn(entries.values(), path);
      default -> null;
    };
  }

  private static @Nullable String missingIn(Iterable<?> items, String path) {
    for (Object item : items) {
      String missing = item == null ? path + "[]" : missing(item, path + "[]");
      if (missing != null) {
        return missing;
      }
    }
    return null;
  }

  private static @Nullable String missingIn(Record record, String path) {
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
      Object value = value(record, component);
      String missing =
          value != null
              ? missing(value, name)
              : isNullable(component.getAnnotatedType()) ? null : name;
      if (missing != null) {
        return missing;
      }
    }
    return null;
  }

  private static boolean isNullable(AnnotatedType type) {
    return type.isAnnotationPresent(Nullable.class);
  }

  private static @Nullable Object value(Record record, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("cannot read " + component.getName(), e);
    }
  }
}
