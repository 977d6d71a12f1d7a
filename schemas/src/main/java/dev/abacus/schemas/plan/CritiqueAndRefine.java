package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/** One model answers, one criticizes the answer, one corrects it (paper, section 4.1). */
@JsonTypeName("critique-and-refine")
public record CritiqueAndRefine(String generator, String critic, String refiner)
    implements PhysicalOperator {
  @Override
  public String id() {
    return "critique-and-refine(" + generator + "," + critic + "," + refiner + ")";
  }

  @Override
  public List<String> chatModels() {
    return List.of(generator, critic, refiner);
  }
}
