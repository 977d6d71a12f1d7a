package dev.abacus.schemas.input;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that a record that was read has all its fields. */
public final class RequiredFields {

  private RequiredFields() {}

  /** A field of a record class. */
  private record Field(String name, Method accessor, boolean nullable) {

    static Field of(RecordComponent component) {
      component.getAccessor().setAccessible(true);
      return new Field(
          component.getName(),
          component.getAccessor(),
          component.getAnnotatedType().isAnnotationPresent(Nullable.class));
    }

    @Nullable Object value(Record record) {
      try {
        return accessor.invoke(record);
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException("cannot read " + name, e);
      }
    }
  }

  private static final ClassValue<List<Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
          return Arrays.stream(type.getRecordComponents()).map(Field::of).toList();
        }
      };

  /**
   * Returns the path of the first field that is null although its type is not {@link Nullable}, or
   * null if no field is missing. Looks into records, lists and maps.
   */
  public static @Nullable String missing(Object value) {
    return switch (value) {
      case Record record -> missingIn(record);
      case Iterable<?> items when value.getClass().getName().startsWith("java.util") ->
          missingIn(items);
      case Map<?, ?> entries -> missingIn(entries.values());
      default -> null;
    };
  }

  private static @Nullable String missingIn(Iterable<?> items) {
    for (Object item : items) {
      String missing = item == null ? "" : missing(item);
      if (missing != null) {
        return in("[]", missing);
      }
    }
    return null;
  }

  private static @Nullable String missingIn(Record record) {
    for (Field field : FIELDS.get(record.getClass())) {
      Object value = field.value(record);
      String missing = value != null ? missing(value) : field.nullable() ? null : "";
      if (missing != null) {
        return in(field.name(), missing);
      }
    }
    return null;
  }

  private static String in(String whole, String part) {
    return part.isEmpty() || part.startsWith("[") ? whole + part : whole + "." + part;
  }
}
