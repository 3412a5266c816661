"""A graph with messages, for `langgraph dev`."""

from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from look_up import look_up


async def answer(state: MessagesState) -> dict:
    model = ChatOpenAI(model="gpt-4o-mini").bind_tools([look_up])
    return {"messages": [await model.ainvoke(state["messages"])]}


builder = StateGraph(MessagesState).add_node(answer).add_node("tools", ToolNode([look_up]))
builder.add_edge(START, "answer").add_conditional_edges("answer", tools_condition).add_edge("tools", "answer")
graph = builder.compile()
