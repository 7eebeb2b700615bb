import LifelineScenarios

/// The scenarios that `lifeline run` plays, in the order of the articles that they come from.
@main
enum Catalogue {
  static func main() {
    ScenarioMain.run([
      DelayedDeallocation.scenario, TransientHold.scenario, ReferenceCosts.scenario,
      ContextKeepsNothing.scenario, ChangedObjects.scenario, RetainsRegisteredObjects.scenario, CoordinatorCleared.scenario,
      RelationshipCycle.scenario, UndoManagerKeeps.scenario, ObjectIDsBetweenThreads.scenario,
      ActionSheetShownLate.scenario, ViewTreeWalk.scenario, ParasiteRace.scenario,
      DelegateAsObserver.scenario, NotASerialQueue.scenario, SuspendedQueue.scenario, CompletionBlockHoldsOperation.scenario,
      ArrayAlias.scenario, SplitViewCollapse.scenario, CompletionOutlivesScreen.scenario,
      SiblingContexts.scenario, FetchedResultsRemedies.scenario,
      ClosureCapturesSelf.scenario, DelegateHeldStrongly.scenario, TimerKeepsTarget.scenario, ObserverNeverRemoved.scenario,
      TaskCapturesSelf.scenario, UnbalancedUnmanaged.scenario, CallbackContext.scenario, FreedOnWrongThread.scenario,
      Healthy.scenario,
    ])
  }
}
