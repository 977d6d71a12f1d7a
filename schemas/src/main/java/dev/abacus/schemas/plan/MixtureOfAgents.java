package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireWithin;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.ArrayList;
import java.util.List;

/**
 * Several models propose answers in parallel; the aggregator reads the document and the proposals
 * and gives the answer (paper, section 4.1).
 *
 * @param proposers one to three models, sorted by name
 * @param temperature temperature of the proposers, in [0, 2]
 */
@JsonTypeName("mixture-of-agents")
public record MixtureOfAgents(List<String> proposers, double temperature, String aggregator)
    implements PhysicalOperator {
  public MixtureOfAgents {
    proposers = List.copyOf(proposers);
    if (proposers.isEmpty()) {
      throw new IllegalArgumentException("a mixture of agents needs a proposer");
    }
    requireWithin("temperature", temperature, 0, 2);
  }

  @Override
  public String id() {
    String drafts = String.join("+", proposers);
    return "mixture-of-agents(" + drafts + ",t=" + temperature + "," + aggregator + ")";
  }

  @Override
  public List<String> chatModels() {
    List<String> models = new ArrayList<>(proposers);
    models.add(aggregator);
    return models;
  }
}
