package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/** The compressor extracts what is relevant to the question; the model answers from that alone. */
@JsonTypeName("compressed-context")
public record CompressedContext(String compressor, String model) implements PhysicalOperator {
  @Override
  public String id() {
    return "compressed-context(%s,%s)".formatted(compressor, model);
  }

  @Override
  public List<String> chatModels() {
    return List.of(compressor, model);
  }
}
